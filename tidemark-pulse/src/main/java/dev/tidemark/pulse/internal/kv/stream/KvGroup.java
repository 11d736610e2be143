package dev.tidemark.pulse.internal.kv.stream;

import dev.tidemark.coordination.KeyWait;
import dev.tidemark.coordination.StoreClock;
import dev.tidemark.coordination.Threads;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.LostEvents;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.internal.kv.rows.Claim;
import dev.tidemark.pulse.internal.kv.rows.ClaimRows;
import dev.tidemark.pulse.internal.kv.rows.ClaimRows.Held;
import dev.tidemark.pulse.internal.kv.rows.EventIds;
import dev.tidemark.pulse.internal.kv.rows.GroupSpace;
import dev.tidemark.pulse.internal.kv.rows.SortedIds;
import dev.tidemark.pulse.internal.kv.rows.StoredEvent;
import dev.tidemark.pulse.internal.kv.rows.StreamHead;
import dev.tidemark.pulse.internal.kv.rows.StreamSpace;
import dev.tidemark.pulse.internal.spi.Losses;
import dev.tidemark.pulse.internal.spi.StreamStore;
import dev.tidemark.pulse.internal.spi.TopicFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/*
 * How each event comes to one consumer.
 *
 * A claim moves the cursor of the group, which it has read, over some events and writes them into one
 * row: of two consumers that want the same events one meets a conflict and finds the cursor further
 * on. Acknowledging writes a row for the event, or removes the claim with its last event; both read the
 * claim, so that they conflict with a consumer that takes the claim over, and not with each other.
 * Taking over rewrites the claim with what is not acknowledged. An event is acknowledged at most once because
 * whoever does so has read that it is not acknowledged.
 */

/** One consumer of a group on a stream in Tidemark's own store. */
final class KvGroup implements StreamStore.Group {
  /** So many ids fit the value of a claim's row. */
  private static final int CLAIM_MAX = 4_000;

  private static final Duration GIVE_BACK_WITHIN = Duration.ofSeconds(2);

  private final Database database;
  private final StoreClock clock;
  private final String stream;
  private final StreamSpace space;
  private final GroupSpace group;
  private final EventScan scan;
  private final EventTimes times;
  private final StreamTrimmer trimmer;
  private final SinkOptions options;
  private final TopicFilter filter;
  private final GroupMembers members;
  private final ClaimRows claims;
  private final TakeOver takeOver;
  private final OpenClaims open = new OpenClaims();
  private final KvAcks acks;
  private final UUID consumer = UUID.randomUUID();
  private final KeyWait wait;
  private final Losses losses;

  /** What the latest attempt to claim found lost, if anything. Used by the thread that claims. */
  private Optional<LostEvents> lost = Optional.empty();

  /**
   * What a sink without acknowledgements has taken and could not date, since the store did not
   * answer: nobody else would get it. The next claim tries again. Used by the thread that claims.
   */
  private List<StoredEvent> undated = List.of();

  KvGroup(
      Database database,
      StoreClock clock,
      String stream,
      String sink,
      StreamSpace space,
      GroupSpace group,
      EventScan scan,
      EventTimes times,
      StreamTrimmer trimmer,
      SinkOptions options,
      Optional<KvStream> deadLetters) {
    this.database = database;
    this.clock = clock;
    this.space = space;
    this.group = group;
    this.scan = scan;
    this.times = times;
    this.trimmer = trimmer;
    this.options = options;
    this.filter = TopicFilter.of(options);
    this.members = new GroupMembers(database, clock, stream, sink, group, consumer, options);
    this.claims = new ClaimRows(group);
    this.acks = new KvAcks(database, claims, open);
    this.takeOver =
        new TakeOver(stream, claims, scan, options.deliveriesMax().orElse(0), deadLetters);
    this.wait = new KeyWait(database, space.added());
    this.stream = stream;
    this.losses = new Losses(sink, options.lossListener());
  }

  /**
   * Makes the group begin behind {@code position} if it is new; checks what it shares if not. One
   * that begins at the oldest event has not lost what the stream had dropped before.
   *
   * @param walks whether it walks through what waits to be trimmed, however much that is
   * @throws EventScan.FarBehind if it is much, and it does not
   */
  void join(Transaction tx, EventId position, boolean walks) {
    members.join(tx, position.equals(EventId.ZERO) ? scan.newestHidden(tx, walks) : position);
  }

  @Override
  public List<Event> claim(int max, Duration block) {
    if (!undated.isEmpty()) {
      List<Event> late = dated(undated);
      undated = List.of();
      return late;
    }
    acks.tidy();
    long deadline = database.time().nanos() + block.toNanos();
    while (true) {
      Duration left = Duration.ofNanos(Math.max(0, deadline - database.time().nanos()));
      List<List<StoredEvent>> batch =
          trimmer.read(
              walks -> wait.until(left, tx -> nextBatch(tx, Math.min(max, CLAIM_MAX), walks)));
      if (batch.isEmpty()) {
        return List.of();
      }
      lost.ifPresent(losses::tell);
      List<StoredEvent> taken = batch.getFirst();
      if (!taken.isEmpty()) {
        remember(taken);
        return dated(taken);
      }
    }
  }

  private List<Event> dated(List<StoredEvent> taken) {
    try {
      return times.date(taken);
    } catch (RuntimeException failure) {
      if (options.noAck()) {
        undated = taken;
      } else {
        giveBackUndated(taken, failure);
      }
      throw failure;
    }
  }

  /** Kept here, they would come when their claim is long gone, or never. */
  private void giveBackUndated(List<StoredEvent> taken, RuntimeException reason) {
    try {
      Threads.undisturbed(() -> giveBack(SortedIds.of(storedIds(taken))));
    } catch (RuntimeException failure) {
      reason.addSuppressed(failure);
    }
  }

  /** The wanted ones of the next events, perhaps none of them; no list if there are no events. */
  private List<List<StoredEvent>> nextBatch(Transaction tx, int max, boolean walks) {
    StreamHead head = StreamHead.read(tx.snapshot(), space);
    if (!head.lives(clock::now)) {
      return List.of();
    }
    Optional<byte[]> cursor = tx.get(group.cursor());
    if (cursor.isEmpty()) {
      // The stream ended and began again; what it has by now is all new to this group.
      members.create(tx, EventId.ZERO);
      tx.addReadConflict(space.life());
    }
    EventId position = cursor.map(EventIds::unpack).orElse(EventId.ZERO);
    EventScan.Next next = scan.after(tx, head, position, max, walks);
    List<StoredEvent> events = next.events();
    if (events.isEmpty()) {
      return List.of();
    }
    lost =
        next.overtaken()
            ? Optional.of(new LostEvents(stream, position, events.getFirst().id()))
            : Optional.empty();
    tx.set(group.cursor(), EventIds.pack(events.getLast().id()));
    List<StoredEvent> taken =
        events.stream().filter(event -> filter.accepts(event.topic())).toList();
    if (!taken.isEmpty() && !options.noAck()) {
      Claim claim = new Claim(consumer, 1, until(), storedIds(taken));
      claims.put(tx, new Held(taken.getLast().id(), claim));
    }
    return List.of(taken);
  }

  private long until() {
    return StreamHead.micros(clock.now().plus(options.ackGrace()));
  }

  private void remember(List<StoredEvent> taken) {
    if (!options.noAck()) {
      open.add(taken.getLast().id(), storedIds(taken), soonest());
    }
  }

  private static List<EventId> storedIds(List<StoredEvent> events) {
    return events.stream().map(StoredEvent::id).toList();
  }

  private static List<EventId> idsOf(Collection<Event> events) {
    return events.stream().map(Event::id).toList();
  }

  @Override
  public List<Event> reclaim(int max) {
    acks.tidy();
    if (options.noAck()) {
      return List.of();
    }
    List<StoredEvent> taken = new ArrayList<>();
    while (taken.isEmpty()) {
      boolean found =
          trimmer.read(
              walks ->
                  database.transact(tx -> reclaimOne(tx, Math.min(max, CLAIM_MAX), taken, walks)));
      if (!found) {
        return List.of();
      }
    }
    remember(taken);
    return dated(taken);
  }

  /** Takes one claim over whose time has passed; whether there was one. */
  private boolean reclaimOne(Transaction tx, int max, List<StoredEvent> taken, boolean walks) {
    taken.clear();
    long now = StreamHead.micros(clock.now());
    Optional<KeyValue> due = tx.snapshot().scan(group.dueUntil(now)).limit(1).first();
    StreamHead head = StreamHead.read(tx.snapshot(), space);
    if (due.isEmpty() || !head.lives(clock::now)) {
      return false;
    }
    Key row = due.get().key();
    Optional<Held> held = claims.at(tx, group.dueClaim(row));
    if (held.isPresent() && held.get().claim().until() == group.dueTime(row)) {
      taken.addAll(takeOver.of(tx, head, held.get(), consumer, until(), max, walks));
    } else {
      tx.clear(row);
    }
    return true;
  }

  @Override
  public void ack(Collection<Event> events) {
    if (!options.noAck()) {
      acks.ack(SortedIds.of(idsOf(events)));
    }
  }

  @Override
  public Set<EventId> ack(Transaction tx, Collection<Event> events) {
    SortedIds ids = SortedIds.of(idsOf(events));
    return options.noAck() ? ids : acks.ack(tx, ids);
  }

  @Override
  public void handle(Event event, BiConsumer<Transaction, Event> handler) {
    database.run(
        tx -> {
          if (!ack(tx, List.of(event)).isEmpty()) {
            handler.accept(tx, event);
          }
        });
  }

  @Override
  public Set<EventId> renew(Collection<Event> events) {
    if (events.isEmpty() || options.noAck()) {
      return Set.of();
    }
    SortedIds ids = SortedIds.of(idsOf(events));
    long until = until();
    Map<EventId, List<Held>> renewed =
        database.transact(
            tx ->
                claims.of(tx, consumer, ids).stream()
                    .collect(
                        Collectors.toMap(Held::end, held -> claims.renew(tx, held, ids, until))));
    split(renewed);
    open.extend(renewed.values().stream().flatMap(List::stream).map(Held::end).toList(), soonest());
    return renewed.values().stream()
        .flatMap(List::stream)
        .flatMap(part -> part.claim().ids().stream())
        .filter(ids::contains)
        .collect(Collectors.toSet());
  }

  /** Notes what claims have become. One that is still whole is known as it is. */
  private void split(Map<EventId, List<Held>> claimParts) {
    claimParts.forEach(
        (end, parts) -> {
          if (parts.size() != 1 || !parts.getFirst().end().equals(end)) {
            open.split(
                end,
                parts.stream().collect(Collectors.toMap(Held::end, part -> part.claim().ids())));
          }
        });
  }

  /** When a claim of now can be taken over at the earliest, by the clock of this process. */
  private long soonest() {
    return database.time().nanos() + options.ackGrace().toNanos();
  }

  /** It is soon over or not at all, since whoever closes something waits for it. */
  @Override
  public void giveBack(Collection<Event> events) {
    if (events.isEmpty() || options.noAck()) {
      return;
    }
    giveBack(SortedIds.of(idsOf(events)));
  }

  @Override
  public void release(Collection<Event> events) {
    if (!events.isEmpty() && !options.noAck()) {
      giveBack(database, SortedIds.of(idsOf(events)));
    }
  }

  private void giveBack(SortedIds ids) {
    giveBack(database.with(each -> each.withTimeout(GIVE_BACK_WITHIN)), ids);
  }

  private void giveBack(TransactionContext store, SortedIds ids) {
    split(
        store.transact(
            tx -> {
              // Asked second: without the store the claims fail first, and within the limit.
              List<Held> mine = claims.of(tx, consumer, ids);
              long now = StreamHead.micros(clock.now());
              return mine.stream()
                  .collect(
                      Collectors.toMap(Held::end, held -> claims.giveBack(tx, held, ids, now)));
            }));
  }

  @Override
  public void keepAlive() {
    open.forgetExpired(database.time().nanos());
    members.keepAlive();
  }

  @Override
  public void close() {
    wait.close();
    members.leave();
  }
}
