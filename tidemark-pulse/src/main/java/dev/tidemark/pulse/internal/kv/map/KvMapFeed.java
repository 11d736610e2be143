package dev.tidemark.pulse.internal.kv.map;

import dev.tidemark.coordination.Loop;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Watch;
import dev.tidemark.pulse.internal.kv.rows.KvMapRows;
import dev.tidemark.pulse.internal.spi.MapStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows the log of a map: reads from its position on, watches the wake key, reads again. The
 * position is kept here, so a lost wake-up costs time and no change.
 */
final class KvMapFeed implements MapStore.Feed {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.pulse");
  private static final int PAGE = 256;
  private static final Duration SWEEP = Duration.ofSeconds(10);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final int PAUSE_DOUBLINGS = 6;
  private static final Duration CLOSING = Duration.ofSeconds(1);

  private final String name;
  private final Database database;
  private final KvMapRows rows;
  private final Supplier<Instant> now;
  private final KvMapTrimmer trimmer;
  private final Consumer<MapStore.Update> listener;
  private final Thread thread;
  private volatile boolean closed;

  /** Touched by the thread of the feed only, once that runs. */
  private Place place = Place.NOWHERE;

  /**
   * Where the feed is.
   *
   * @param exists whether there was a map
   * @param incarnation of the map
   * @param read changes up to this key have been delivered
   */
  private record Place(boolean exists, long incarnation, Key read) {
    static final Place NOWHERE = new Place(true, 0, Key.EMPTY);
  }

  /**
   * One look at the map.
   *
   * @param updates what is new
   * @param place where that leads
   * @param deadline when the map expires
   * @param watch on the wake key; null if there is more to read
   */
  private record Look(
      List<MapStore.Update> updates, Place place, Optional<Instant> deadline, @Nullable Watch watch)
      implements AutoCloseable {
    @Override
    public void close() {
      if (watch != null) {
        watch.close();
      }
    }
  }

  private KvMapFeed(
      String name,
      Database database,
      KvMapRows rows,
      Supplier<Instant> now,
      KvMapTrimmer trimmer,
      Consumer<MapStore.Update> listener) {
    this.name = name;
    this.database = database;
    this.rows = rows;
    this.now = now;
    this.trimmer = trimmer;
    this.listener = listener;
    this.thread =
        Thread.ofVirtual()
            .name("pulse-map-" + name)
            .unstarted(new Loop(database.time(), () -> closed, this::round, this::failed));
  }

  static KvMapFeed start(
      String name,
      Database database,
      KvMapRows rows,
      Supplier<Instant> now,
      KvMapTrimmer trimmer,
      Consumer<MapStore.Update> listener) {
    KvMapFeed feed = new KvMapFeed(name, database, rows, now, trimmer, listener);
    try (Look first = feed.look()) {
      feed.deliver(first);
    }
    feed.thread.start();
    return feed;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(CLOSING);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  private void round() {
    try (Look look = look()) {
      deliver(look);
      trimmer.trimIfDue();
      if (look.watch() != null) {
        look.watch().await(untilNextLook(look));
      }
    }
  }

  private Duration failed(Throwable failure, int inARow) {
    Duration doubled = FIRST_PAUSE.multipliedBy(1L << Math.min(inARow - 1, PAUSE_DOUBLINGS));
    Duration pause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    LOG.log(
        System.Logger.Level.WARNING,
        "The copy of the map '" + name + "' is behind; it tries again in " + pause,
        failure);
    return pause;
  }

  private Duration untilNextLook(Look look) {
    Duration toDeadline =
        look.deadline().map(end -> Duration.between(now.get(), end)).orElse(SWEEP);
    if (toDeadline.compareTo(SWEEP) > 0) {
      return SWEEP;
    }
    return toDeadline.isNegative() ? Duration.ZERO : toDeadline;
  }

  private void deliver(Look look) {
    for (MapStore.Update update : look.updates()) {
      if (closed) {
        return;
      }
      listener.accept(update);
    }
    place = look.place();
  }

  private Look look() {
    return database.transact(this::look);
  }

  private Look look(Transaction tx) {
    Optional<byte[]> life = tx.get(rows.life());
    Optional<Instant> deadline = tx.get(rows.deadline()).map(KvMapRows::deadline);
    boolean expired = deadline.isPresent() && !now.get().isBefore(deadline.get());
    if (life.isEmpty() || expired) {
      return nothing(tx);
    }
    long incarnation = KvMapRows.incarnation(life.get());
    return canFollow(tx, incarnation) ? changes(tx, deadline) : snapshot(tx, incarnation, deadline);
  }

  private boolean canFollow(Transaction tx, long incarnation) {
    return place.exists()
        && place.incarnation() == incarnation
        && tx.get(rows.trimmed())
            .filter(last -> Key.wrap(last).compareTo(place.read()) > 0)
            .isEmpty();
  }

  private Look nothing(Transaction tx) {
    Watch watch = tx.watch(rows.wake());
    if (!place.exists()) {
      return new Look(List.of(), place, Optional.empty(), watch);
    }
    long version = tx.readVersion();
    MapStore.Update empty =
        new MapStore.Update.Snapshot(
            new MapStore.Position(version, KvMapRows.revisionAt(version)), Key.EMPTY, Map.of());
    return new Look(List.of(empty), new Place(false, version, Key.EMPTY), Optional.empty(), watch);
  }

  private Look snapshot(Transaction tx, long incarnation, Optional<Instant> deadline) {
    Map<String, byte[]> entries = new HashMap<>();
    for (KeyValue value : tx.scan(rows.values()).list()) {
      entries.put(rows.keyOf(value), value.value());
    }
    long version = tx.readVersion();
    MapStore.Update all =
        new MapStore.Update.Snapshot(
            new MapStore.Position(incarnation, KvMapRows.revisionAt(version)),
            tx.get(rows.lastReset()).map(Key::wrap).orElse(Key.EMPTY),
            entries);
    return new Look(
        List.of(all),
        new Place(true, incarnation, rows.changesUpTo(version)),
        deadline,
        tx.watch(rows.wake()));
  }

  private Look changes(Transaction tx, Optional<Instant> deadline) {
    long incarnation = place.incarnation();
    KeyRange unread = KeyRange.of(place.read().next(), rows.changes().end());
    List<KeyValue> page = new ArrayList<>(tx.scan(unread).limit(PAGE).list());
    boolean more = page.size() == PAGE;
    if (more) {
      Key last = page.getLast().key();
      page.addAll(tx.scan(KeyRange.of(last.next(), rows.endOfCommit(last))).list());
    }
    Key read = more ? page.getLast().key() : rows.changesUpTo(tx.readVersion());
    return new Look(
        byCommit(page.stream().map(change -> rows.update(incarnation, change)).toList()),
        new Place(true, incarnation, read),
        deadline,
        more ? null : tx.watch(rows.wake()));
  }

  /** Changes of one commit, which have the same position, as one update. */
  private static List<MapStore.Update> byCommit(List<MapStore.Update> changes) {
    Map<MapStore.Position, List<MapStore.Update>> commits = new LinkedHashMap<>();
    changes.forEach(
        change ->
            commits.computeIfAbsent(change.position(), none -> new ArrayList<>()).add(change));
    return commits.entrySet().stream()
        .map(
            commit ->
                commit.getValue().size() == 1
                    ? commit.getValue().getFirst()
                    : new MapStore.Update.Commit(commit.getKey(), commit.getValue()))
        .toList();
  }
}
