package dev.tidemark.pulse.redis.internal.rows;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.redis.internal.link.Answer;
import dev.tidemark.pulse.redis.internal.link.Arguments;
import dev.tidemark.pulse.redis.internal.link.Channels;
import dev.tidemark.pulse.redis.internal.link.Link;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import dev.tidemark.pulse.redis.internal.link.Script;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/** The rows of one pool, in a hash and a sorted set that lie in one slot of a cluster. */
public final class RedisRowStore implements RowStore {
  private static final Script TRANSITION = Script.once("clock", "rows");
  private static final Script CHECK = Script.of("clock", "rows");

  /** Lost races after which a transition waits before it tries again. */
  private static final int PATIENT_AFTER = 4;

  private static final int ATTEMPTS_MAX = 1_000;
  private static final int PAUSE_MILLIS_MAX = 20;

  private final Link link;
  private final Channels channels;
  private final String channelPrefix;
  private final List<String> keys;
  private final RowKnowledge knowledge = new RowKnowledge();
  private final Set<Channels.Listening> listeners = ConcurrentHashMap.newKeySet();

  public RedisRowStore(Link link, Channels channels, String pool) {
    String home = RedisNames.pool(pool);
    this.link = link;
    this.channels = channels;
    this.channelPrefix = home + "wake:";
    this.keys = List.of(home + "rows", home + "keys", home + "revision");
  }

  @Override
  public <T> T transact(Body<T> body) {
    return transact(body, false);
  }

  private <T> T transact(Body<T> body, boolean readOnly) {
    RowAttempt.Told told = new RowAttempt.Told();
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      RowAttempt rows = new RowAttempt(channelPrefix, knowledge, told);
      Run<T> run = run(body, rows);
      boolean seenTogether = readOnly && attempt > 1 && told.coverOneMoment(rows);
      if (seenTogether || commit(rows, told, run.isDone())) {
        return run.result();
      }
      if (attempt > PATIENT_AFTER) {
        link.pause(Duration.ofMillis(ThreadLocalRandom.current().nextInt(1, PAUSE_MILLIS_MAX)));
      }
    }
    throw new PulseException(
        "A transition lost %,d races for its rows of %s; too many change them at a time"
            .formatted(ATTEMPTS_MAX, keys.getFirst()));
  }

  /** How a run of a body ended, which counts only if it has seen how things are. */
  private record Run<T>(Optional<T> value, Optional<RuntimeException> failure) {
    boolean isDone() {
      return failure.isEmpty();
    }

    @SuppressWarnings("NullAway") // a body may return null where its type says so
    T result() {
      if (failure.isPresent()) {
        throw failure.get();
      }
      return value.orElse(null);
    }
  }

  private static <T> Run<T> run(Body<T> body, Rows rows) {
    try {
      return new Run<>(Optional.ofNullable(body.apply(rows)), Optional.empty());
    } catch (RuntimeException failure) {
      return new Run<>(Optional.empty(), Optional.of(failure));
    }
  }

  /**
   * Lets the server check what {@code rows} has seen, and carry out its writes if it ran to its
   * end. False if something was otherwise, which is then in {@code told}.
   */
  private boolean commit(RowAttempt rows, RowAttempt.Told told, boolean write) {
    RowWrites writes = write ? rows.writes() : new RowWrites();
    Arguments arguments = new Arguments();
    rows.writeSeen(arguments);
    writes.write(arguments);
    Answer answer = send(arguments, writes.isEmpty());
    if (answer.number(0) == 1) {
      knowledge.wrote(writes, answer.text(1));
      return true;
    }
    told.asked(rows);
    learnRows(rows, answer.list(1), told);
    learnRanges(rows, answer.list(2), told);
    return false;
  }

  private Answer send(Arguments arguments, boolean readOnly) {
    if (readOnly) {
      Arguments all = new Arguments().add(0);
      arguments.list().forEach(all::add);
      return new Answer(link.run(CHECK, keys, all.list()));
    }
    return new Answer(link.runOnce(TRANSITION, keys, arguments.list()));
  }

  private void learnRows(RowAttempt rows, Answer changed, RowAttempt.Told told) {
    List<Key> seen = rows.rowsSeen();
    for (int i = 0; i < changed.size(); i += 2) {
      Key key = seen.get((int) changed.number(i));
      Optional<SeenRow> row = changed.find(i + 1).map(SeenRow::of);
      told.rows.put(key, row);
      knowledge.learn(key, row);
    }
  }

  private void learnRanges(RowAttempt rows, Answer changed, RowAttempt.Told told) {
    List<RangeRead> seen = rows.rangesSeen();
    for (int i = 0; i < changed.size(); i += 3) {
      RangeRead read = seen.get((int) changed.number(i));
      Answer members = changed.list(i + 1);
      Answer values = changed.list(i + 2);
      TreeMap<Key, SeenRow> found = new TreeMap<>();
      for (int j = 0; j < members.size(); j++) {
        found.put(Key.wrap(members.bytes(j)), SeenRow.of(values.bytes(j)));
      }
      SeenRange range = SeenRange.of(found);
      told.ranges.put(read, range);
      knowledge.learn(read, range);
    }
  }

  @Override
  public <T> T transactJoined(JoinedBody<T> body) {
    throw noTransactions();
  }

  @Override
  public <T> T read(Body<T> body) {
    return transact(body, true);
  }

  @Override
  public Rows in(Transaction tx) {
    throw noTransactions();
  }

  private static UnsupportedOperationException noTransactions() {
    return new UnsupportedOperationException(
        "Redis has no transactions that a pool could join; call without one, or keep the pool in"
            + " Tidemark's store");
  }

  @Override
  public Listening onWake(String channel, Consumer<byte[]> listener) {
    Channels.Listening listening =
        channels.listen(
            channelPrefix + channel,
            new Channels.Listener() {
              @Override
              public void message(byte[] content) {
                listener.accept(content);
              }

              @Override
              public void interrupted() {
                listener.accept(NO_HINT);
              }
            });
    listeners.add(listening);
    listener.accept(NO_HINT);
    return () -> {
      listeners.remove(listening);
      listening.close();
    };
  }

  @Override
  public void close() {
    listeners.forEach(Channels.Listening::close);
    listeners.clear();
  }
}
