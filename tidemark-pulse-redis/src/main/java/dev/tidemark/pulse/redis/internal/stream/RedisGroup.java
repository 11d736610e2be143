package dev.tidemark.pulse.redis.internal.stream;

import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.internal.spi.Losses;
import dev.tidemark.pulse.internal.spi.SinkTerms;
import dev.tidemark.pulse.internal.spi.StreamStore;
import dev.tidemark.pulse.internal.spi.TopicFilter;
import dev.tidemark.pulse.redis.internal.link.Answer;
import dev.tidemark.pulse.redis.internal.link.Arguments;
import dev.tidemark.pulse.redis.internal.link.Failure;
import dev.tidemark.pulse.redis.internal.link.Link;
import dev.tidemark.pulse.redis.internal.link.ReadSessions;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import dev.tidemark.pulse.redis.internal.link.Script;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One consumer of a group of Redis.
 *
 * <p>A group can get lost: somebody deletes it, or the stream with it. Its low-water mark beside
 * the stream says up to where everything had been acknowledged, or somewhat less; the group is made
 * again there.
 */
final class RedisGroup implements StreamStore.Group {
  private static final Script JOIN = Script.of("beside", "length", "fields", "group-join");
  private static final Script ACK = Script.of("beside", "fields", "group-ack");
  private static final Script PASSED = Script.of("beside", "group-passed");
  private static final Script RETURN = Script.of("group-return");
  private static final Script RETURN_STRANDED = Script.of("group-return-stranded");
  private static final Script RENEW = Script.of("group-renew");
  private static final Script ALIVE = Script.of("fields", "group-alive");
  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse.redis");

  /**
   * The first may overtake a read whose connection was closed; the one behind its answer cannot.
   */
  private static final int LOOKS_FOR_STRANDED = 2;

  private final Home home;
  private final String sink;
  private final SinkOptions options;
  private final TopicFilter filter;
  private final String consumer = UUID.randomUUID().toString();
  private final BlockingReads reads;
  private final RedisReclaim reclaim;
  private final byte[] sinkBytes;
  private final LowWaterMark low;
  private final NotedLosses losses;
  private final SinkTerms terms;
  private final byte[] packedTerms;

  /** The last event that has come here. Used by the thread that claims. */
  private EventId claimed = EventId.ZERO;

  /**
   * Whether events behind {@link #claimed} may be ours that have not been handed out: an answer was
   * lost, or what belongs to it could not be written. By the same thread.
   */
  private boolean maybeStranded;

  /**
   * What a sink without acknowledgements has taken and could not note as passed: nobody else would
   * get it. The next claim tries again. By the same thread.
   */
  private List<StreamEntry> kept = List.of();

  /**
   * Where a group lives.
   *
   * @param timeToLiveMillis how long a stream lives that comes to be with this group; 0 for ever
   * @param lengthMax how many events it keeps
   */
  record Home(
      ReadSessions sessions,
      Link link,
      String stream,
      StreamKeys keys,
      long timeToLiveMillis,
      String lengthMax) {
    /** What a script answers about the stream and its sinks. */
    Answer run(Script script, Arguments arguments) {
      return new Answer(link.run(script, withSinks(), arguments.list()));
    }

    /** The same at the first attempt or not at all. */
    void runNow(Script script, Arguments arguments) {
      link.runNow(script, withSinks(), arguments.list());
    }

    /**
     * Takes {@code steps}, unless the server does not answer, of which {@code without} is logged.
     */
    void ifReachable(Runnable steps, String without) {
      try {
        steps.run();
      } catch (PulseException
          | RedisException
          | IllegalStateException
          | InterruptedOperationException outage) {
        LOG.log(System.Logger.Level.DEBUG, without, outage);
      }
    }

    private List<String> withSinks() {
      return List.of(keys.events(), keys.sinks());
    }

    /** What a script answers that may begin the stream, with all that lies beside it. */
    Answer begin(Script script, Arguments arguments) {
      List<String> all = List.of(keys.events(), keys.sinks(), keys.readers());
      return new Answer(link.run(script, all, arguments.list()));
    }
  }

  private RedisGroup(Home home, String sink, SinkOptions options) {
    this.home = home;
    this.sink = sink;
    this.options = options;
    this.filter = TopicFilter.of(options);
    this.sinkBytes = RedisNames.bytes(sink);
    this.low = new LowWaterMark(home.link().time());
    this.losses = new NotedLosses(home, sink, new Losses(sink, options.lossListener()));
    this.terms = SinkTerms.of(options);
    this.packedTerms = terms.packed();
    this.reclaim = new RedisReclaim(home, sink, consumer, options);
    this.reads = BlockingReads.open(home.sessions(), home.link());
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
        home.begin(
            JOIN,
            new Arguments()
                .add(sink)
                .add(start.toString())
                .add(grace)
                .add(again)
                .add(home.timeToLiveMillis())
                .add(consumer)
                .add(home.lengthMax())
                .add(packedTerms));
    if (answer.number(0) != grace || !Arrays.equals(answer.bytes(2), packedTerms)) {
      SinkTerms theirs = SinkTerms.of(Duration.ofMillis(answer.number(0)), answer.bytes(2));
      throw terms.refused(sink, home.stream(), theirs);
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
    if (!kept.isEmpty()) {
      return handOut(kept);
    }
    if (maybeStranded) {
      List<StreamEntry> stranded =
          reads.read(Duration.ZERO, read(max, claimed.toString(), commands -> {}), this::cure);
      if (!stranded.isEmpty() || reads.isClosed()) {
        return handOut(stranded);
      }
      maybeStranded = false;
    }
    return handOut(readNew(max, block));
  }

  private List<StreamEntry> readNew(int max, Duration block) {
    List<StreamEntry> found;
    try {
      found = reads.read(block, read(max, ">", losses::ask), this::cureOfNew);
    } finally {
      maybeStranded = !options.noAck() && !reads.isAnswered();
    }
    losses.tell();
    return found;
  }

  /**
   * What this group wants of {@code entries}; the rest counts as acknowledged. If that cannot be
   * written, all of them come with the next claim.
   */
  private List<Event> handOut(List<StreamEntry> entries) {
    if (entries.isEmpty()) {
      return List.of();
    }
    List<Event> wanted = new ArrayList<>(entries.size());
    List<EventId> unwanted = new ArrayList<>();
    for (StreamEntry entry : entries) {
      Event event = entry.event();
      if (event != null && filter.accepts(event.topic())) {
        wanted.add(event);
      } else {
        unwanted.add(entry.id());
      }
    }
    if (options.noAck()) {
      pass(entries);
    } else {
      acknowledgeUnwanted(unwanted);
    }
    claimed = entries.getLast().id();
    return wanted;
  }

  private void pass(List<StreamEntry> entries) {
    kept = entries;
    home.run(PASSED, new Arguments().add(sink).add(entries.getLast().id().toString()));
    kept = List.of();
  }

  private void acknowledgeUnwanted(List<EventId> unwanted) {
    try {
      acknowledge(unwanted);
    } catch (RuntimeException failure) {
      maybeStranded = true;
      throw failure;
    }
  }

  private BlockingReads.Read read(
      int max, String position, Consumer<RedisClusterAsyncCommands<byte[], byte[]>> sentBehind) {
    return new BlockingReads.Read(
        home.stream(),
        CommandType.XREADGROUP,
        millis -> arguments(max, millis, position),
        sentBehind);
  }

  private CommandArgs<byte[], byte[]> arguments(int max, long blockMillis, String position) {
    CommandArgs<byte[], byte[]> arguments =
        new CommandArgs<>(ByteArrayCodec.INSTANCE)
            .add("GROUP")
            .add(sinkBytes)
            .add(RedisNames.bytes(consumer));
    BlockingReads.addBlock(arguments, blockMillis);
    arguments.add("COUNT").add(max);
    if (options.noAck()) {
      arguments.add("NOACK");
    }
    return arguments.add("STREAMS").addKey(home.keys().eventBytes()).add(position);
  }

  private BlockingReads.Next cure(RedisException failure) {
    if (Failure.isNoGroup(failure)) {
      create(EventId.ZERO, true);
      return BlockingReads.Next.AGAIN;
    }
    return BlockingReads.Next.PATIENCE;
  }

  /**
   * The same for a read of new events. If its answer was lost, events may be ours by now, and the
   * same read would find those behind them: it ends, and the next claim looks for them first.
   */
  private BlockingReads.Next cureOfNew(RedisException failure) {
    if (options.noAck() || Failure.isAnswer(failure)) {
      return cure(failure);
    }
    return BlockingReads.Next.END;
  }

  @Override
  public List<Event> reclaim(int max) {
    if (options.noAck()) {
      return List.of();
    }
    moveLow();
    if (maybeStranded) {
      // The next claim looks for what is ours behind the last event, and would find these there
      // too.
      return List.of();
    }
    List<Event> taken = reclaim.take(max);
    if (!taken.isEmpty()) {
      EventId last = taken.getLast().id();
      claimed = last.compareTo(claimed) > 0 ? last : claimed;
    }
    try {
      return sort(taken);
    } catch (RuntimeException failure) {
      giveBackAlive(taken, failure);
      throw failure;
    }
  }

  /** What this group wants of {@code taken}; what is dead is buried. */
  private List<Event> sort(List<Event> taken) {
    List<EventId> done = new ArrayList<>();
    List<Event> wanted = new ArrayList<>();
    for (Event event : taken) {
      if (reclaim.isDead(event)) {
        if (!reclaim.bury(event)) {
          done.add(event.id());
        }
      } else if (filter.accepts(event.topic())) {
        wanted.add(event);
      } else {
        done.add(event.id());
      }
    }
    acknowledge(done);
    return wanted;
  }

  /** Those that are dead come again after the grace, and are buried then. */
  private void giveBackAlive(List<Event> taken, RuntimeException reason) {
    try {
      giveBack(taken.stream().filter(event -> !reclaim.isDead(event)).toList());
    } catch (RuntimeException failure) {
      reason.addSuppressed(failure);
    }
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
    if (low.isTimeToMove()) {
      Arguments arguments = new Arguments().add(sink);
      ids.forEach(id -> arguments.add(id.toString()));
      home.run(ACK, arguments);
      return;
    }
    String[] texts = ids.stream().map(EventId::toString).toArray(String[]::new);
    try {
      home.link().call(commands -> commands.xack(home.keys().eventBytes(), sinkBytes, texts));
    } finally {
      low.fallBehind();
    }
  }

  /**
   * Moves the low-water mark of this sink forward, should it lag. If that fails it goes on to lag:
   * a server without memory refuses the write, and delivers events all the same.
   */
  private void moveLow() {
    if (!low.catchUp()) {
      return;
    }
    try {
      home.runNow(ACK, new Arguments().add(sink));
    } catch (RedisException failure) {
      low.fallBehind();
      LOG.log(
          System.Logger.Level.DEBUG,
          "The low-water mark of a sink could not be moved; it is tried again",
          failure);
    }
  }

  @Override
  public Set<EventId> ack(Transaction tx, Collection<Event> events) {
    throw noTransactions();
  }

  @Override
  public void handle(Event event, BiConsumer<Transaction, Event> handler) {
    throw noTransactions();
  }

  private static UnsupportedOperationException noTransactions() {
    return new UnsupportedOperationException(
        "Redis has no transactions that an acknowledgement could join; subscribe with a handler of"
            + " events alone and use Event.id to notice repetitions, or keep the stream in"
            + " Tidemark's store");
  }

  @Override
  public Set<EventId> renew(Collection<Event> events) {
    if (options.noAck() || events.isEmpty()) {
      return Set.of();
    }
    Arguments arguments = new Arguments().add(sink).add(consumer);
    events.forEach(event -> arguments.add(event.id().toString()));
    Answer answer = home.run(RENEW, arguments);
    return IntStream.range(0, answer.size())
        .mapToObj(i -> EventId.parse(answer.text(i)))
        .collect(Collectors.toSet());
  }

  @Override
  public boolean claimsEarly() {
    return true;
  }

  @Override
  public void giveBack(Collection<Event> events) {
    if (events.isEmpty() || options.noAck()) {
      return;
    }
    home.link().runNow(RETURN, List.of(home.keys().events()), returned(events).list());
  }

  @Override
  public void release(Collection<Event> events) {
    if (!events.isEmpty() && !options.noAck()) {
      home.link().run(RETURN, List.of(home.keys().events()), returned(events).list());
    }
  }

  private Arguments returned(Collection<Event> events) {
    Arguments arguments =
        new Arguments().add(sink).add(consumer).add(options.ackGrace().toMillis());
    events.forEach(event -> arguments.add(event.id().toString()).add(event.deliveries() - 1));
    return arguments;
  }

  @Override
  public void giveBackStranded() {
    if (!maybeStranded) {
      return;
    }
    Arguments arguments =
        new Arguments()
            .add(sink)
            .add(consumer)
            .add(options.ackGrace().toMillis())
            .add(claimed.toString());
    for (int look = 0; look < LOOKS_FOR_STRANDED; look++) {
      home.link().runNow(RETURN_STRANDED, List.of(home.keys().events()), arguments.list());
    }
  }

  @Override
  public void keepAlive() {
    if (home.run(ALIVE, alive(false)).number(0) < 0) {
      create(EventId.ZERO, true);
    }
  }

  private Arguments alive(boolean leaves) {
    return new Arguments()
        .add(sink)
        .add(consumer)
        .add(options.ackGrace().toMillis() * 2)
        .add(leaves)
        .add(options.ackGrace().toMillis())
        .add(packedTerms);
  }

  /**
   * Leaves no trace if nothing is to be acknowledged; otherwise others find it by the grace. It
   * does not wait for the end of an outage.
   */
  @Override
  public void close() {
    if (reads.isClosed()) {
      return;
    }
    reads.close();
    home.ifReachable(
        () -> {
          if (low.catchUp()) {
            home.runNow(ACK, new Arguments().add(sink));
          }
          home.runNow(ALIVE, alive(true));
        },
        "A consumer could not be removed; others do so after the grace");
  }
}
