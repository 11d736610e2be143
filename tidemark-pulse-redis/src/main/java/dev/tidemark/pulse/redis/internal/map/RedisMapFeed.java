package dev.tidemark.pulse.redis.internal.map;

import dev.tidemark.coordination.Loop;
import dev.tidemark.kv.Key;
import dev.tidemark.pulse.internal.spi.MapStore;
import dev.tidemark.pulse.internal.spi.MapStore.Update;
import dev.tidemark.pulse.redis.internal.link.Answer;
import dev.tidemark.pulse.redis.internal.link.Arguments;
import dev.tidemark.pulse.redis.internal.link.Channels;
import dev.tidemark.pulse.redis.internal.link.Link;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import dev.tidemark.pulse.redis.internal.link.Script;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows one map. Messages of the channel are applied as long as their revisions have no gap;
 * whenever one may have been missed, and now and then to be sure, it compares with the hash and
 * loads it anew if it is another.
 */
final class RedisMapFeed implements MapStore.Feed {
  private static final Script LOOK = Script.of("clock", "map-look");
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
  private static final int WAITING_MAX = 10_000;

  /** Said to the loop when messages may have been lost; no message is empty. */
  private static final byte[] LOST = {};

  private final Link link;
  private final String name;
  private final String content;
  private final Consumer<Update> listener;
  private final BlockingQueue<byte[]> messages = new ArrayBlockingQueue<>(WAITING_MAX);

  /** Whether a message found no place in the queue. */
  private volatile boolean overflow;

  private volatile boolean closed;
  private @Nullable Thread loop;
  private Channels.@Nullable Listening listening;

  // What the copy has: used by the thread that delivers, which is one at a time.

  /** Whether {@link #place} is known. Otherwise the copy may be anything. */
  private boolean known;

  /** Where the copy is; empty if there is no map. */
  private Optional<Place> place = Optional.empty();

  private long lookAgainMillis = LOOK_AGAIN.toMillis();

  /** An incarnation and a revision in it. */
  private record Place(long incarnation, long revision) {}

  private RedisMapFeed(Link link, String name, String content, Consumer<Update> listener) {
    this.link = link;
    this.name = name;
    this.content = content;
    this.listener = listener;
  }

  static RedisMapFeed start(
      Link link, Channels channels, String name, String content, Consumer<Update> listener) {
    RedisMapFeed feed = new RedisMapFeed(link, name, content, listener);
    feed.listening = channels.listen(RedisNames.mapChannel(name), feed.new Ear());
    try {
      feed.look();
    } catch (RuntimeException failure) {
      feed.close();
      throw failure;
    }
    feed.loop =
        Thread.ofVirtual()
            .name("pulse-map-" + name)
            .start(new Loop(link.time(), () -> feed.closed, feed::deliver, feed::failed));
    return feed;
  }

  /** Puts what the channel says into the queue. */
  private final class Ear implements Channels.Listener {
    @Override
    public void message(byte[] message) {
      if (!messages.offer(message)) {
        overflow = true;
      }
    }

    @Override
    public void interrupted() {
      message(LOST);
    }
  }

  private void deliver() throws InterruptedException {
    step(messages.poll(lookAgainMillis, TimeUnit.MILLISECONDS));
  }

  /** The next round waits itself, so that a message ends the pause. */
  private Duration failed(Throwable failure, int inARow) {
    System.getLogger("dev.tidemark.pulse.redis")
        .log(System.Logger.Level.WARNING, "The map '" + name + "' is not followed", failure);
    known = false;
    lookAgainMillis = LOOK_AGAIN.toMillis();
    return Duration.ZERO;
  }

  private void step(byte @Nullable [] message) {
    if (overflow) {
      overflow = false;
      messages.clear();
      look();
    } else if (message == null) {
      look();
    } else if (message.length == 0) {
      // Another server may answer by now, which has lost writes and reached the revision by others.
      known = false;
      look();
    } else {
      MapMessage.parse(message).ifPresent(this::take);
    }
  }

  private void take(MapMessage message) {
    Place next = new Place(message.incarnation(), message.revision());
    Optional<Place> wanted = place.map(here -> new Place(here.incarnation(), here.revision() + 1));
    if (known && wanted.equals(Optional.of(next)) && message.update().isPresent()) {
      place = Optional.of(next);
      listener.accept(message.update().get());
    } else if (!has(next)) {
      look();
    }
  }

  private boolean has(Place other) {
    return known
        && place
            .filter(
                here ->
                    here.incarnation() == other.incarnation()
                        && here.revision() >= other.revision())
            .isPresent();
  }

  /** Compares with the hash, and delivers all of it if it is another, or nothing is known. */
  private void look() {
    String none = known ? "" : "?";
    Optional<Place> have = known ? place : Optional.empty();
    Arguments arguments =
        new Arguments()
            .add(have.map(here -> "" + here.incarnation()).orElse(none))
            .add(have.map(here -> "" + here.revision()).orElse(none));
    Answer answer = new Answer(link.run(LOOK, List.of(content), arguments.list()));
    long left = answer.number(0);
    lookAgainMillis = left < 0 ? LOOK_AGAIN.toMillis() : Math.min(left + 1, LOOK_AGAIN.toMillis());
    if (answer.size() > 1) {
      deliver(answer.number(1), answer.list(2));
    }
  }

  private void deliver(long now, Answer fields) {
    Map<String, byte[]> entries = new HashMap<>();
    for (int i = 0; i < fields.size(); i += 2) {
      entries.put(fields.text(i), fields.bytes(i + 1));
    }
    Optional<Long> incarnation = number(entries, "=inc");
    long revision = number(entries, "=rev").orElse(0L);
    Key lastReset = number(entries, "=reset").map(RedisMapStore::revision).orElse(Key.EMPTY);
    entries.keySet().removeIf(key -> key.startsWith("="));
    place = incarnation.map(life -> new Place(life, revision));
    known = true;
    listener.accept(
        new Update.Snapshot(
            RedisMapStore.position(incarnation.orElse(now), revision), lastReset, entries));
  }

  private static Optional<Long> number(Map<String, byte[]> entries, String field) {
    return Optional.ofNullable(entries.get(field)).map(RedisNames::text).map(Long::valueOf);
  }

  @Override
  public void close() {
    closed = true;
    Channels.Listening ear = listening;
    if (ear != null) {
      ear.close();
    }
    Thread thread = loop;
    if (thread != null && !thread.equals(Thread.currentThread())) {
      thread.interrupt();
      join(thread);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join(Duration.ofSeconds(1));
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }
}
