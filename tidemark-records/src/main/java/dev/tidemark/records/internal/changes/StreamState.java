package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.changes.ChangeLogException;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.changes.ChangesExpiredException;
import dev.tidemark.records.changes.StreamGoneException;
import dev.tidemark.records.internal.format.StreamInfo;
import dev.tidemark.records.internal.keys.StreamKeys;
import dev.tidemark.records.internal.space.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A stream as one transaction finds it. Every look checks that it is still the same stream. */
final class StreamState {
  private final Space space;
  private final StreamInfo info;
  private final StreamKeys keys;
  private final Versionstamp created;

  private StreamState(Space space, StreamInfo info, StreamKeys keys, Versionstamp created) {
    this.space = space;
    this.info = info;
    this.keys = keys;
    this.created = created;
  }

  static StreamState open(Space space, StreamInfo info) {
    StreamKeys keys = space.keys().stream(info.id());
    byte[] row = space.database().read(tx -> tx.get(keys.stream())).orElse(null);
    if (row == null) {
      throw gone(space, info, false);
    }
    return new StreamState(space, info, keys, created(row));
  }

  private static Versionstamp created(byte[] row) {
    byte[] stamp = new byte[Versionstamp.BYTES];
    if (row.length == 1 + Versionstamp.COMMIT_BYTES && row[0] == StreamDefinitions.VERSION) {
      System.arraycopy(row, 1, stamp, 0, Versionstamp.COMMIT_BYTES);
      return Versionstamp.fromBytes(stamp);
    }
    throw new ChangeLogException(
        "A change stream has format %d; this version of Tidemark reads format %d. Use a newer one"
            .formatted(row.length == 0 ? -1 : row[0], StreamDefinitions.VERSION));
  }

  private static StreamGoneException gone(Space space, StreamInfo info, boolean store) {
    return new StreamGoneException(
        (store
                ? "The store at %s is gone; it was deleted while its change stream '%s' was read"
                : "The change stream '%2$s' of the store at %1$s is gone; it was removed while it was read")
            .formatted(space.keys().header(), info.spec().name()));
  }

  StreamKeys keys() {
    return keys;
  }

  ChangePosition createdAt() {
    return new ChangePosition(created, 0);
  }

  /** Reads {@code more} keys and checks that the stream is still there. */
  Map<Key, byte[]> get(ReadTransaction tx, Key... more) {
    List<Key> wanted = new ArrayList<>(Arrays.asList(more));
    wanted.add(keys.stream());
    Map<Key, byte[]> found = tx.getAll(wanted);
    byte[] row = found.get(keys.stream());
    if (row == null || !created(row).equals(created)) {
      throw gone(space, info, row != null || tx.get(space.keys().header()).isEmpty());
    }
    return found;
  }

  /** The earliest position from which on nothing is missing, with the horizon that was read. */
  ChangePosition earliest(byte @Nullable [] horizon) {
    ChangePosition oldest = ChangePosition.behind(horizonVersion(horizon));
    return oldest.compareTo(createdAt()) > 0 ? oldest : createdAt();
  }

  /** The version up to which changes may have been removed. */
  static long horizonVersion(byte @Nullable [] row) {
    return row == null ? 0 : Tuple.unpack(row).getLong(1);
  }

  ChangePosition earliest(ReadTransaction tx) {
    return earliest(get(tx, keys.horizon()).get(keys.horizon()));
  }

  void checkNotExpired(ChangePosition asked, ChangePosition earliest) {
    if (asked.compareTo(earliest) < 0) {
      throw new ChangesExpiredException(
          "Changes of the stream '%s' behind the position %s were asked for; they are kept from %s on (retention %s). Begin there and accept the gap, or build the copy anew"
              .formatted(info.spec().name(), asked, earliest, info.spec().retention()),
          asked,
          earliest);
    }
  }

  void checkNotAhead(ReadTransaction tx, ChangePosition asked) {
    if (asked.version() > tx.readVersion()) {
      throw new ChangeLogException(
          "The position %s has the version %d, which the store has not reached; it is at %d. It is a position of another store, or one that is still to come"
              .formatted(asked, asked.version(), tx.readVersion()));
    }
  }

  /** All partitions that are kept, the oldest first. */
  List<PartitionRow> partitions(ReadTransaction tx) {
    List<PartitionRow> rows = new ArrayList<>();
    for (KeyValue row : tx.scan(keys.allEnded()).list()) {
      rows.add(PartitionRow.parse(keys.partition(row.key()), row.value()));
    }
    for (KeyValue row : tx.scan(keys.allActive()).list()) {
      rows.add(PartitionRow.parse(keys.partition(row.key()), row.value()));
    }
    rows.sort(Comparator.comparing(PartitionRow::start).thenComparingInt(PartitionRow::number));
    return rows;
  }

  /** The partition with {@code token}, whose rows are among {@code found}. */
  PartitionRow partition(Token token, Map<Key, byte[]> found, ChangePosition earliest) {
    byte[] row = found.get(keys.active(token.number()));
    byte[] bytes = row == null ? found.get(keys.ended(token.number())) : row;
    if (bytes != null) {
      PartitionRow partition = PartitionRow.parse(token.number(), bytes);
      if (partition.start().equals(token.start())) {
        return partition;
      }
    } else if (token.start().compareTo(created) >= 0
        && token.start().version() < earliest.version()) {
      checkNotExpired(new ChangePosition(token.start(), 0), earliest);
    }
    throw new ChangeLogException(
        "The change stream '%s' of the store at %s has no partition '%s'; the token is one of another stream or store"
            .formatted(info.spec().name(), space.keys().header(), token.text()));
  }
}
