package dev.tidemark.testkit.model;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.TransactionTooOldException;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UnreadableKeyException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.spi.scan.ScanPortion;
import dev.tidemark.kv.spi.scan.ScanRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * The transaction's view is a copy of everything stored, made at the first read, to which each of
 * its writes is applied at once. Reads are then lookups in a sorted map. What is left to do is to
 * note what was read, and which keys have no answer before the commit.
 */

/** The reads of one transaction of the model. */
final class ModelReads {
  /** Any stamp will do where stamped writes are applied to the view: those keys are unreadable. */
  private static final Versionstamp NO_STAMP = Versionstamp.of(0, 0, 0);

  private final ModelDatabase database;
  private final List<ModelWrite> writes;
  private final Ranges conflicts = new Ranges();

  /** Keys whose value follows from the transaction's own writes alone. */
  private final Ranges own = new Ranges();

  private final Ranges unreadable = new Ranges();
  private @Nullable NavigableMap<Key, byte[]> view;

  /** What the view was before the transaction's own writes. */
  private NavigableMap<Key, byte[]> contents = Collections.emptyNavigableMap();

  /** The failure of the first read that failed. */
  private @Nullable DatabaseException failed;

  /** The version that is read; -1 until it is known. */
  private long version = -1;

  private long firstReadNanos;

  ModelReads(ModelDatabase database, List<ModelWrite> writes) {
    this.database = database;
    this.writes = writes;
  }

  private NavigableMap<Key, byte[]> view() {
    NavigableMap<Key, byte[]> opened = view;
    if (opened == null) {
      open();
      opened = new TreeMap<>(contents);
      for (ModelWrite write : writes) {
        applyReadable(write, opened);
      }
      view = opened;
    }
    checkWindow();
    return opened;
  }

  private void open() {
    version = version < 0 ? database.version() : version;
    contents = database.contentsAt(version);
    firstReadNanos = database.latestUntilNanos(version);
  }

  void setVersion(long wanted) {
    if (version >= 0) {
      throw UsageException.readVersionAlreadySet(version);
    }
    version = wanted;
  }

  Optional<NavigableMap<Key, byte[]>> contentsAt(long wanted) {
    return view != null && version == wanted ? Optional.of(contents) : Optional.empty();
  }

  void checkWindow() {
    if (view != null
        && database.time().nanos() - firstReadNanos > database.limits.readWindow().toNanos()) {
      throw new TransactionTooOldException(
          "The first read was more than " + database.limits.readWindow() + " ago");
    }
  }

  long version() {
    if (version < 0) {
      view();
    }
    return version;
  }

  /** The version to check conflicts from: a transaction without one has none to fear. */
  long commitVersion() {
    return version < 0 ? database.version() : version;
  }

  Ranges conflicts() {
    return conflicts;
  }

  void addConflict(KeyRange range) {
    conflicts.add(range);
  }

  // ---- own writes

  void written(ModelWrite write) {
    switch (write) {
      case ModelWrite.Put put -> own.add(put.written(NO_STAMP));
      case ModelWrite.Erase erase -> {
        own.add(erase.range());
        unreadable.remove(erase.range());
      }
      case ModelWrite.Change change -> {}
      case ModelWrite.Stamped stamped -> unreadable.add(mayBecome(stamped));
    }
    if (view != null) {
      applyReadable(write, view);
    }
  }

  private void applyReadable(ModelWrite write, NavigableMap<Key, byte[]> to) {
    if (!(write instanceof ModelWrite.Stamped)) {
      write.apply(to, NO_STAMP, database.limits);
    }
  }

  /** Where the commit may put the stamped write: stamps are greater than any version read. */
  private KeyRange mayBecome(ModelWrite.Stamped write) {
    if (!write.inKey()) {
      return write.written(NO_STAMP);
    }
    byte[] most = new byte[Versionstamp.BYTES];
    Arrays.fill(most, (byte) 0xff);
    Versionstamp least = Versionstamp.of(version + 1, 0, 0);
    return KeyRange.of(
        Key.wrap(write.key().filled(least)),
        Collections.min(
            List.of(Key.wrap(write.key().filled(Versionstamp.fromBytes(most))).next(), Key.END)));
  }

  /** Does {@code read}, and notes a failure. */
  <T> T noting(Supplier<T> read) {
    try {
      return read.get();
    } catch (UnreadableKeyException | TransactionTooOldException | UnavailableException failure) {
      failed = failed == null ? failure : failed;
      throw failure;
    }
  }

  /** Throws if a read has failed, so that the transaction cannot be committed. */
  void checkSucceeded() {
    if (failed != null) {
      throw failed;
    }
  }

  /** Notes that the result of a read depends on {@code range}. */
  private void read(KeyRange range, boolean conflict) {
    unreadable
        .firstIn(range)
        .ifPresent(
            key -> {
              throw new UnreadableKeyException(key);
            });
    if (conflict) {
      own.outside(range).forEach(conflicts::add);
    }
  }

  // ---- reads

  Optional<byte[]> get(Key key, boolean conflict) {
    Optional<byte[]> value = Optional.ofNullable(view().get(key)).map(byte[]::clone);
    read(KeyRange.single(key), conflict);
    return value;
  }

  Map<Key, byte[]> getAll(Collection<Key> keys, boolean conflict) {
    Map<Key, byte[]> values = new LinkedHashMap<>();
    for (Key key : keys) {
      get(key, conflict).ifPresent(value -> values.put(key, value));
    }
    return values;
  }

  Key getKey(KeySelector selector, boolean conflict) {
    Key start = selector.orEqual() ? selector.key().next() : selector.key();
    Key bound = start.compareTo(Key.END) < 0 ? start : Key.END;
    boolean forward = selector.offset() > 0;
    int steps = forward ? selector.offset() : 1 - selector.offset();
    Collection<Key> path =
        forward
            ? view().subMap(bound, true, Key.END, false).navigableKeySet()
            : view().headMap(bound, false).descendingKeySet();
    Optional<Key> found = path.stream().skip(steps - 1).findFirst();
    if (forward) {
      read(KeyRange.of(bound, found.map(Key::next).orElse(Key.END)), conflict);
      return found.orElse(Key.END);
    }
    read(KeyRange.of(found.orElse(Key.EMPTY), bound), conflict);
    return found.orElse(Key.EMPTY);
  }

  ScanPortion fetch(ScanRequest request, boolean conflict) {
    Key begin = bound(request.begin(), conflict);
    Key end = bound(request.end(), conflict);
    if (begin.compareTo(end) >= 0) {
      view();
      return new ScanPortion(List.of(), false);
    }
    NavigableMap<Key, byte[]> range = view().subMap(begin, true, end, false);
    List<KeyValue> rows = new ArrayList<>();
    long bytes = 0;
    for (var row : (request.reverse() ? range.descendingMap() : range).entrySet()) {
      Key next = row.getKey();
      if (stopsBefore(
          request.reverse() ? KeyRange.of(next, end) : KeyRange.of(begin, next.next()), rows)) {
        break;
      }
      rows.add(new KeyValue(row.getKey(), row.getValue().clone()));
      bytes += row.getKey().size() + row.getValue().length;
      if (rows.size() == request.rows() || bytes >= request.bytes()) {
        Key last = row.getKey();
        read(
            request.reverse() ? KeyRange.of(last, end) : KeyRange.of(begin, last.next()), conflict);
        return new ScanPortion(rows, true);
      }
    }
    boolean stopped = stopsBefore(KeyRange.of(begin, end), rows);
    if (stopped) {
      Key last = rows.getLast().key();
      read(request.reverse() ? KeyRange.of(last, end) : KeyRange.of(begin, last.next()), conflict);
    } else {
      read(KeyRange.of(begin, end), conflict);
    }
    return new ScanPortion(rows, stopped);
  }

  /** Whether a scan gives {@code rows} alone, as what it comes to then cannot be read. */
  private boolean stopsBefore(KeyRange range, List<KeyValue> rows) {
    return !rows.isEmpty() && unreadable.firstIn(range).isPresent();
  }

  /** The end of a scan; where no key need be known to tell, none is read. */
  private Key bound(KeySelector selector, boolean conflict) {
    if (selector.offset() != 1) {
      return getKey(selector, conflict);
    }
    Key key = selector.orEqual() ? selector.key().next() : selector.key();
    return key.compareTo(Key.END) < 0 ? key : Key.END;
  }
}
