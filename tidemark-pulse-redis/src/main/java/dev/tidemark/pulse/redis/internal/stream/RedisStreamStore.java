package dev.tidemark.pulse.redis.internal.stream;

import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.ConflictingEventException;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventTicket;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.StreamOptions;
import dev.tidemark.pulse.internal.spi.NewEvent;
import dev.tidemark.pulse.internal.spi.StreamStore;
import dev.tidemark.pulse.redis.internal.link.Answer;
import dev.tidemark.pulse.redis.internal.link.Arguments;
import dev.tidemark.pulse.redis.internal.link.Gatherer;
import dev.tidemark.pulse.redis.internal.link.Link;
import dev.tidemark.pulse.redis.internal.link.ReadSessions;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import dev.tidemark.pulse.redis.internal.link.Script;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A stream of Redis. What belongs to it lies beside it, in the same slot of a cluster. */
public final class RedisStreamStore implements StreamStore {
  private static final Script ADD =
      Script.once("beside", "length", "fields", "trim", "append", "add");
  private static final Script ADD_ONCE =
      Script.of("beside", "length", "fields", "trim", "append", "clock", "add-once");
  private static final Script BURY =
      Script.of("beside", "length", "fields", "trim", "append", "clock", "add-once", "group-bury");
  private static final Script REMOVE = Script.once("remove");
  private static final Script DESTROY = Script.once("destroy");
  private static final Script JOIN_READER = Script.of("beside", "reader-join");
  private static final Script MOVE_CURSOR = Script.of("beside", "reader-ack");

  private static final Duration ONE_ID_LATER = Duration.ofMillis(2);
  private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);

  private final ReadSessions sessions;
  private final Link link;
  private final String name;
  private final StreamOptions options;
  private final StreamKeys keys;
  private final Gatherer<NewEvent, EventId> adds;

  public RedisStreamStore(ReadSessions sessions, Link link, String name, StreamOptions options) {
    this.sessions = sessions;
    this.link = link;
    this.name = name;
    this.options = options;
    this.keys = StreamKeys.of(name);
    this.adds =
        new Gatherer<>(
            events -> add(events, false),
            event -> event.payload().length,
            link.options().outageMax().plus(link.options().commandTimeout()).multipliedBy(2));
  }

  @Override
  public EventId add(NewEvent event) {
    return adds.submit(event);
  }

  @Override
  public Optional<EventId> addIfExists(NewEvent event) {
    return add(List.of(event), true).stream().findFirst();
  }

  private List<EventId> add(List<NewEvent> events, boolean mustExist) {
    Arguments arguments =
        new Arguments().add(lengthMax()).add(timeToLive()).add(options.sliding()).add(mustExist);
    events.forEach(event -> arguments.add(event.name()).add(event.topic()).add(event.payload()));
    Answer ids =
        new Answer(
            link.runOnce(
                ADD, List.of(keys.events(), keys.sinks(), keys.readers()), arguments.list()));
    return IntStream.range(0, ids.size()).mapToObj(i -> EventId.parse(ids.text(i))).toList();
  }

  /** As the scripts take it: what this handle says, or how a stream begins that it follows. */
  private String lengthMax() {
    if (options.keepsAll()) {
      return "0";
    }
    return options.lengthMax().isPresent()
        ? Long.toString(options.lengthMax().getAsLong())
        : "?" + StreamOptions.LENGTH_MAX_AT_FIRST;
  }

  private long timeToLive() {
    return options.timeToLive().map(RedisStreamStore::millis).orElse(0L);
  }

  private static long millis(Duration duration) {
    return Math.max(1, duration.toMillis());
  }

  @Override
  public EventId addOnce(String key, NewEvent event) {
    Answer answer = new Answer(link.run(ADD_ONCE, onceKeys(), once(key, event).list()));
    if (answer.number(1) == 0) {
      throw new ConflictingEventException(
          "The key '%s' was used in stream '%s' for an event with another name, topic or payload; take a new key for a new event"
              .formatted(key, name));
    }
    return EventId.parse(answer.text(0));
  }

  private List<String> onceKeys() {
    return List.of(
        keys.events(), keys.onceKeys(), keys.onceDeadlines(), keys.sinks(), keys.readers());
  }

  private Arguments once(String key, NewEvent event) {
    return new Arguments()
        .add(key)
        .add(Digest.of(event))
        .add(millis(options.onceFor()))
        .add(lengthMax())
        .add(timeToLive())
        .add(options.sliding())
        .add(event.name())
        .add(event.topic())
        .add(event.payload());
  }

  /** Whether one script can change this stream and the one of {@code others}. */
  boolean isBeside(StreamKeys others) {
    return !link.options().cluster()
        || SlotHash.getSlot(keys.events()) == SlotHash.getSlot(others.events());
  }

  /** An event whose dead letter is added: its stream, the sink that had it, and its id. */
  record Buried(StreamKeys stream, String sink, EventId id) {}

  /** Adds {@code letter} unless there is one of this key, and acknowledges what it is about. */
  void bury(String key, NewEvent letter, Buried about) {
    List<String> all = new ArrayList<>(onceKeys());
    all.add(about.stream().events());
    link.run(BURY, all, once(key, letter).add(about.sink()).add(about.id().toString()).list());
  }

  @Override
  public EventTicket add(Transaction tx, NewEvent event) {
    throw new UnsupportedOperationException(
        "Redis has no transactions that a stream could join; call without one, or keep the stream"
            + " in Tidemark's store");
  }

  @Override
  public long remove(Collection<EventId> ids) {
    Arguments arguments = new Arguments();
    ids.forEach(id -> arguments.add(id.toString()));
    return new Answer(link.runOnce(REMOVE, List.of(keys.events()), arguments.list())).number(0);
  }

  @Override
  public void destroy() {
    link.runOnce(DESTROY, keys.all(), List.of());
    // Ids begin with milliseconds: those of the next life must be greater than any before.
    link.pause(ONE_ID_LATER);
  }

  @Override
  public long length() {
    return link.call(commands -> commands.xlen(keys.eventBytes()));
  }

  @Override
  public EventId position(Start start) {
    return switch (start) {
      case Start.After(var id) -> id;
      case Start.At(var time) -> lastBefore(time);
      case Start.Newest() -> newest();
    };
  }

  private static EventId lastBefore(Instant time) {
    if (!time.isAfter(Instant.EPOCH)) {
      return EventId.ZERO;
    }
    long millis = time.isBefore(LATEST) ? time.toEpochMilli() : Long.MAX_VALUE;
    return millis == 0 ? EventId.ZERO : new EventId(millis - 1, Long.MAX_VALUE);
  }

  private EventId newest() {
    List<StreamMessage<byte[], byte[]>> last =
        link.call(
            commands ->
                commands.xrevrange(keys.eventBytes(), Range.<String>unbounded(), Limit.from(1)));
    return last.isEmpty() ? EventId.ZERO : EventId.parse(last.getFirst().getId());
  }

  @Override
  public EventId cursor(String reader, Start start) {
    byte[] found =
        link.call(
            commands -> commands.hget(RedisNames.bytes(keys.readers()), RedisNames.bytes(reader)));
    // Also where there is one: it may be about to go with a stream that has expired.
    return beginCursor(
        reader, found == null ? position(start) : EventId.parse(RedisNames.text(found)));
  }

  private EventId beginCursor(String reader, EventId position) {
    Arguments arguments = new Arguments().add(reader).add(position.toString());
    Answer answer =
        new Answer(link.run(JOIN_READER, List.of(keys.readers(), keys.events()), arguments.list()));
    return EventId.parse(answer.text(0));
  }

  @Override
  public void moveCursor(String reader, EventId position) {
    Arguments arguments = new Arguments().add(reader).add(position.major()).add(position.minor());
    link.run(MOVE_CURSOR, List.of(keys.readers(), keys.events()), arguments.list());
  }

  @Override
  public Tail tail() {
    return new RedisTail(name, keys, BlockingReads.open(sessions, link));
  }

  @Override
  public Group group(String sink, Start start, SinkOptions sinkOptions) {
    return RedisGroup.join(
        new RedisGroup.Home(sessions, link, name, keys, timeToLive(), lengthMax()),
        sink,
        position(start),
        sinkOptions);
  }
}
