package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.coordination.Commits;
import dev.tidemark.coordination.StoreClock;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventTicket;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.StreamOptions;
import dev.tidemark.pulse.internal.kv.rows.EventFormat;
import dev.tidemark.pulse.internal.kv.rows.EventIds;
import dev.tidemark.pulse.internal.kv.rows.EventTags;
import dev.tidemark.pulse.internal.kv.rows.Expiries;
import dev.tidemark.pulse.internal.kv.rows.GroupSpace;
import dev.tidemark.pulse.internal.kv.rows.StreamHead;
import dev.tidemark.pulse.internal.kv.rows.StreamSpace;
import dev.tidemark.pulse.internal.spi.Names;
import dev.tidemark.pulse.internal.spi.NewEvent;
import dev.tidemark.pulse.internal.spi.StreamStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/*
 * How events are added without waiting for each other.
 *
 * An event is a row under a versionstamped key, so its commit decides its position, and two adders
 * never write the same key. The counters are changed by ADD, which never conflicts. The one row that
 * an adder reads with a conflict says that the stream exists: it is written only when a stream begins
 * or ends. So an add is one commit, which is retried only when the stream ends meanwhile.
 *
 * Ids become visible in their order: a commit that a transaction cannot see yet has a greater
 * version than all it sees. A reader that remembers its last id therefore skips nothing.
 */

/** A stream in Tidemark's own store. */
public final class KvStream implements StreamStore {
  private static final byte[] ONE = StreamHead.bytes(1);

  private final Database database;
  private final StoreClock clock;
  private final String name;
  private final StreamOptions options;
  private final Function<String, KvStream> others;
  private final StreamSpace space;
  private final EventScan scan;
  private final EventTimes times;
  private final StreamTrimmer trimmer;
  private final OnceKeys once;
  private final Expiries expiries;
  private final StreamLife life;

  /**
   * The stream {@code name} in {@code home}.
   *
   * @param others finds the stream for dead letters
   */
  public KvStream(
      Database database,
      StoreClock clock,
      Subspace home,
      String name,
      StreamOptions options,
      Expiries expiries,
      Function<String, KvStream> others) {
    this.database = database;
    this.clock = clock;
    this.name = name;
    this.options = options;
    this.others = others;
    this.space = new StreamSpace(home);
    this.scan = new EventScan(name, space);
    this.times = new EventTimes(database, name);
    this.trimmer = new StreamTrimmer(database, space, scan, options);
    this.once = new OnceKeys(database, space, clock, options.onceFor());
    this.expiries = expiries;
    this.life = new StreamLife(name, space, clock, options, expiries);
  }

  @Override
  public EventId add(NewEvent event) {
    return addTagged(event, tx -> true).orElseThrow();
  }

  @Override
  public Optional<EventId> addIfExists(NewEvent event) {
    return addTagged(event, tx -> StreamHead.read(tx.snapshot(), space).lives(clock::now));
  }

  /** Whether a transaction is to add its event. */
  @FunctionalInterface
  private interface Condition {
    boolean holds(Transaction tx);
  }

  /**
   * Adds {@code event} in a transaction of its own if {@code condition} holds. Where the result of
   * a commit can be unknown at first, the event carries a tag by which it is found then.
   */
  private Optional<EventId> addTagged(NewEvent event, Condition condition) {
    byte[] tag = database.commitCanBeUnknown() ? EventTags.fresh() : EventFormat.NO_TAG;
    Added added =
        database.transact(
            tx -> {
              boolean adds = condition.holds(tx);
              if (adds) {
                append(tx, event, 0, tag);
              } else {
                tx.addReadConflict(space.life());
              }
              return new Added(tx, adds, tag.length == 0 ? 0 : tx.readVersion());
            });
    if (!added.added()) {
      return Optional.empty();
    }
    clock.observe(added.tx());
    mayTrim();
    return Optional.of(
        Commits.stamp(added.tx())
            .map(stamp -> EventIds.of(stamp, 0))
            .orElseGet(() -> find(added.readVersion(), tag)));
  }

  private record Added(Transaction tx, boolean added, long readVersion) {}

  private EventId find(long readVersion, byte[] tag) {
    try {
      return database
          .read(tx -> scan.tagged(tx, EventIds.lastOf(readVersion), tag))
          .orElseThrow(() -> new PulseException(added("is gone already")));
    } catch (DatabaseException failure) {
      throw new PulseException(added("could not be read"), failure);
    }
  }

  private String added(String then) {
    return "The event was added to stream '%s' and %s, so its id is not known. Do not add it again"
        .formatted(name, then);
  }

  private void mayTrim() {
    trimmer.mayTrim();
    if (options.timeToLive().isPresent()) {
      expiries.maySweep();
    }
  }

  /** Writes {@code event} as number {@code number} of its transaction. */
  private void append(Transaction tx, NewEvent event, int number, byte[] tag) {
    life.prolong(tx);
    tx.mutate(
        MutationType.SET_VERSIONSTAMPED_KEY,
        space.newEvent(number),
        EventFormat.encode(event, tag));
    tx.mutate(MutationType.ADD, space.added(), ONE);
  }

  @Override
  public EventId addOnce(String key, NewEvent event) {
    Once result =
        database.transact(
            tx -> {
              boolean lives = StreamHead.read(tx.snapshot(), space).lives(clock::now);
              Optional<EventId> before = lives ? once.find(tx, key, event) : Optional.empty();
              if (before.isEmpty()) {
                append(tx, event, 0, EventFormat.NO_TAG);
                once.remember(tx, key, event);
              }
              return new Once(tx, before);
            });
    once.maySweep();
    mayTrim();
    return result
        .before()
        .or(() -> Commits.stamp(result.tx()).map(stamp -> EventIds.of(stamp, 0)))
        .orElseGet(() -> addOnce(key, event));
  }

  private record Once(Transaction tx, Optional<EventId> before) {}

  @Override
  public EventTicket add(Transaction tx, NewEvent event) {
    int number = CallOrder.next(tx);
    append(tx, event, number, EventFormat.NO_TAG);
    trimmer.mayTrimALittle();
    return () ->
        Commits.stamp(tx)
            .map(stamp -> EventIds.of(stamp, number))
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "The transaction has not been committed, or its outcome is unknown; the"
                            + " event has no id yet"));
  }

  @Override
  public long remove(Collection<EventId> ids) {
    return database.transact(tx -> remove(tx, new LinkedHashSet<>(ids)));
  }

  /** Also trims: otherwise hidden events would take the place of the removed ones. */
  private long remove(Transaction tx, Set<EventId> ids) {
    StreamHead head = StreamHead.read(tx.snapshot(), space);
    if (!head.lives(clock::now)) {
      return 0;
    }
    Key first = scan.firstShown(tx.snapshot(), head);
    List<Key> keys =
        ids.stream().map(space::event).filter(key -> key.compareTo(first) >= 0).toList();
    Set<Key> there = tx.getAll(keys).keySet();
    if (!there.isEmpty()) {
      there.forEach(tx::clear);
      tx.clear(KeyRange.of(scan.oldest(head), first));
      tx.addReadConflict(space.life());
      tx.addReadConflict(space.gone());
      tx.mutate(MutationType.ADD, space.gone(), StreamHead.bytes(there.size() + head.hidden()));
    }
    return there.size();
  }

  @Override
  public void destroy() {
    database.run(tx -> tx.clear(space.all()));
  }

  @Override
  public long length() {
    StreamHead head = database.read(tx -> StreamHead.read(tx, space));
    return head.lives(clock::now) ? head.length() : 0;
  }

  @Override
  public EventId position(Start start) {
    return database.read(tx -> position(tx, start));
  }

  EventId position(ReadTransaction tx, Start start) {
    return switch (start) {
      case Start.Newest newest -> EventIds.lastOf(tx.readVersion());
      case Start.After after -> after.id();
      case Start.At at when !at.time().isAfter(Instant.EPOCH) -> EventId.ZERO;
      case Start.At at ->
          EventIds.lastOf(Math.max(0, database.versionAt(at.time().minus(1, ChronoUnit.MICROS))));
    };
  }

  @Override
  public EventId cursor(String reader, Start start) {
    return database.transact(
        tx -> {
          life.endIfOver(tx);
          Optional<EventId> known = tx.get(space.cursor(reader)).map(EventIds::unpack);
          EventId position = known.orElseGet(() -> position(tx.snapshot(), start));
          if (known.isEmpty()) {
            tx.set(space.cursor(reader), EventIds.pack(position));
          }
          return position;
        });
  }

  @Override
  public void moveCursor(String reader, EventId position) {
    database.run(
        tx -> {
          tx.addReadConflict(space.life());
          if (StreamHead.read(tx.snapshot(), space).lives(clock::now)) {
            tx.mutate(MutationType.BYTE_MAX, space.cursor(reader), EventIds.pack(position));
          }
        });
  }

  @Override
  public Tail tail() {
    return new KvTail(database, clock, space, scan, times, trimmer);
  }

  @Override
  public Group group(String sink, Start start, SinkOptions sinkOptions) {
    GroupSpace rows = new GroupSpace(space.group(sink));
    Optional<KvStream> deadLetters = Names.deadLetters(name, sinkOptions).map(others);
    KvGroup group =
        new KvGroup(
            database,
            clock,
            name,
            sink,
            space,
            rows,
            scan,
            times,
            trimmer,
            sinkOptions,
            deadLetters);
    return trimmer.read(
        walks -> {
          database.run(
              tx -> {
                life.begin(tx);
                group.join(tx, position(tx.snapshot(), start), walks);
              });
          return group;
        });
  }
}
