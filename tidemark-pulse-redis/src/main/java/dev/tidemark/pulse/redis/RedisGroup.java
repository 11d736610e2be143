package dev.tidemark.pulse.redis;

import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.internal.StreamStore;
import dev.tidemark.pulse.internal.TopicFilter;
import io.lettuce.core.Consumer;
import io.lettuce.core.RedisException;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * One consumer of a group of Redis.
 *
 * <p>A group can get lost: somebody deletes it, or the stream with it. Its mark beside the stream
 * says up to where everything had been acknowledged; the group is made again there.
 */
final class RedisGroup implements StreamStore.Group {
  private static final Script JOIN = Script.of("beside", "group-join");
  private static final Script ACK = Script.of("beside", "group-ack");
  private static final Script PASSED = Script.of("beside", "group-passed");
  private static final Script RENEW = Script.of("group-renew");
  private static final Script ALIVE = Script.of("group-alive");
  private static final System.Logger LOG = System.getLogger(RedisGroup.class.getName());

  private final Home home;
  private final String sink;
  private final SinkOptions options;
  private final TopicFilter filter;
  private final String consumer = UUID.randomUUID().toString();
  private final BlockingReads reads;
  private final RedisReclaim reclaim;

  /** The last event that was claimed. Used by the thread that claims. */
  private EventId claimed = EventId.ZERO;

  /** Whether an answer may have been lost, with events that are now ours. By the same thread. */
  private boolean maybeStranded;

  /**
   * Where a group lives.
   *
   * @param timeToLiveMillis how long a stream lives that comes to be with this group; 0 for ever
   */
  record Home(
      Connector connector, Link link, String stream, StreamKeys keys, long timeToLiveMillis) {
    Answer run(Script script, Arguments arguments) {
      return new Answer(link.run(script, List.of(keys.events(), keys.sinks()), arguments.list()));
    }
  }

  private RedisGroup(Home home, String sink, SinkOptions options) {
    this.home = home;
    this.sink = sink;
    this.options = options;
    this.filter = TopicFilter.of(options);
    this.reclaim = new RedisReclaim(home, sink, consumer, options);
    this.reads = BlockingReads.open(home.connector(), home.link());
  }

  /** Joins the group {@code sink}, which begins behind {@code start} if it is new. */
  static RedisGroup join(Home home, String sink, EventId start, SinkOptions options) {
    RedisGroup group = new RedisGroup(home, sink, options);
    try {
      group.create(start, false);
      return group;
    } catch (RuntimeException refused) {
      group.reads.close();
      throw refused;
    }
  }

  private void create(EventId start, boolean again) {
    long grace = options.ackGrace().toMillis();
    Answer answer =
        home.run(
            JOIN,
            new Arguments()
                .add(sink)
                .add(start.toString())
                .add(grace)
                .add(again)
                .add(home.timeToLiveMillis())
                .add(consumer));
    if (answer.number(0) != grace) {
      throw new PulseException(
          "Sink '%s' of stream '%s' has instances with ackGrace %s; this one asks for %s. Give all instances the same"
              .formatted(
                  sink, home.stream(), Duration.ofMillis(answer.number(0)), options.ackGrace()));
    }
    if (answer.number(1) == 1) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The group ''{0}'' of stream ''{1}'' was lost and goes on behind what was acknowledged",
          sink,
          home.stream());
    }
  }

  @Override
  public List<Event> claim(int max, Duration block) {
    if (maybeStranded) {
      List<Event> stranded = wanted(read(max, Duration.ZERO, claimed.toString()));
      if (!stranded.isEmpty()) {
        return stranded;
      }
      maybeStranded = false;
    }
    return wanted(read(max, block, ">"));
  }

  /** What this group wants of {@code entries}; the rest counts as acknowledged. */
  private List<Event> wanted(List<StreamMessage<byte[], byte[]>> entries) {
    if (entries.isEmpty()) {
      return List.of();
    }
    claimed = EventId.parse(entries.getLast().getId());
    List<Event> events = RedisEvents.of(home.stream(), entries);
    List<Event> wanted = events.stream().filter(event -> filter.accepts(event.topic())).toList();
    if (options.noAck()) {
      home.run(PASSED, new Arguments().add(sink).add(claimed.toString()));
    } else if (wanted.size() < entries.size()) {
      List<EventId> unwanted =
          new ArrayList<>(entries.stream().map(entry -> EventId.parse(entry.getId())).toList());
      wanted.forEach(event -> unwanted.remove(event.id()));
      acknowledge(unwanted);
    }
    return wanted;
  }

  @SuppressWarnings("unchecked") // one offset in a generic array
  private List<StreamMessage<byte[], byte[]>> read(int max, Duration block, String position) {
    Consumer<byte[]> me = Consumer.from(RedisNames.bytes(sink), RedisNames.bytes(consumer));
    return reads.read(
        block,
        (commands, millis) ->
            commands.xreadgroup(
                me,
                XReadArgs.Builder.block(millis).count(max).noack(options.noAck()),
                StreamOffset.from(home.keys().eventBytes(), position)),
        this::cure);
  }

  private boolean cure(RedisException failure) {
    if (Failure.isNoGroup(failure)) {
      create(EventId.ZERO, true);
      return true;
    }
    maybeStranded = !options.noAck();
    return false;
  }

  @Override
  public List<Event> reclaim(int max) {
    if (options.noAck()) {
      return List.of();
    }
    List<Event> taken = reclaim.take(max);
    List<EventId> done = new ArrayList<>();
    List<Event> wanted = new ArrayList<>();
    for (Event event : taken) {
      if (reclaim.isDead(event)) {
        reclaim.bury(event);
        done.add(event.id());
      } else if (filter.accepts(event.topic())) {
        wanted.add(event);
      } else {
        done.add(event.id());
      }
    }
    acknowledge(done);
    return wanted;
  }

  @Override
  public void ack(Collection<Event> events) {
    if (!options.noAck()) {
      acknowledge(events.stream().map(Event::id).toList());
    }
  }

  private void acknowledge(List<EventId> ids) {
    if (ids.isEmpty()) {
      return;
    }
    Arguments arguments = new Arguments().add(sink);
    ids.forEach(id -> arguments.add(id.toString()));
    home.run(ACK, arguments);
  }

  @Override
  public boolean ack(Transaction tx, Event event) {
    throw noTransactions();
  }

  @Override
  public void handle(Event event, BiConsumer<Transaction, Event> handler) {
    throw noTransactions();
  }

  private static UnsupportedOperationException noTransactions() {
    return new UnsupportedOperationException(
        "Redis has no transactions that an acknowledgement could join; subscribe with a handler of events alone and use Event.id to notice repetitions, or keep the stream in Tidemark's store");
  }

  @Override
  public void renew(Collection<Event> events) {
    if (!options.noAck() && !events.isEmpty()) {
      Arguments arguments = new Arguments().add(sink).add(consumer);
      events.forEach(event -> arguments.add(event.id().toString()));
      home.run(RENEW, arguments);
    }
  }

  @Override
  public void keepAlive() {
    if (alive(false) < 0) {
      create(EventId.ZERO, true);
    }
  }

  private long alive(boolean leaves) {
    Arguments arguments =
        new Arguments().add(sink).add(consumer).add(options.ackGrace().toMillis() * 2).add(leaves);
    return home.run(ALIVE, arguments).number(0);
  }

  /** Leaves no trace if nothing is to be acknowledged; otherwise others find it by the grace. */
  @Override
  public void close() {
    if (reads.isClosed()) {
      return;
    }
    reads.close();
    try {
      alive(true);
    } catch (PulseException | RedisException | IllegalStateException outage) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "A consumer could not be removed; others do so after the grace",
          outage);
    }
  }
}
