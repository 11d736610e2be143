package dev.tidemark.records.internal.changes;

import dev.tidemark.kv.Versionstamp;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.changes.ChangeColumn;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.changes.DataChange;
import dev.tidemark.records.changes.ModType;
import dev.tidemark.records.internal.format.RecordBytes;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.RecordType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** A change as the log has it. Its content is decrypted and decoded when it is asked for. */
final class LoggedChange implements DataChange {
  private final Space space;
  private final LoggedType type;
  private final ChangePosition position;
  private final LogRow.Change row;
  private final int bytes;
  private volatile @Nullable Tuple primaryKey;
  private volatile @Nullable Content content;

  LoggedChange(
      Space space, LoggedType type, ChangePosition position, LogRow.Change row, int bytes) {
    this.space = space;
    this.type = type;
    this.position = position;
    this.row = row;
    this.bytes = bytes;
  }

  private Content content() {
    Content known = content;
    if (known == null) {
      try {
        known = Content.parse(opened(row.content()));
      } catch (DamagedRecordException damage) {
        throw new DamagedRecordException(
            "The change %s of the %s %s cannot be read. %s"
                .formatted(position, type(), primaryKey(), damage.getMessage()),
            damage);
      }
      content = known;
    }
    return known;
  }

  private Wire opened(Wire sealed) {
    return RecordBytes.isPlain(sealed.bytes(), sealed.start(), sealed.end())
        ? new Wire(sealed.bytes(), sealed.start() + 1, sealed.end())
        : new Wire(space.openChange(sealed.copy(), type.keys().record(primaryKey()).main()));
  }

  @Override
  public ChangePosition position() {
    return position;
  }

  @Override
  public String transactionId() {
    return HexFormat.of().formatHex(position.commit().toByteArray(), 0, Versionstamp.COMMIT_BYTES);
  }

  @Override
  public String type() {
    return type.spec().name();
  }

  @Override
  public ModType modType() {
    return content().modType();
  }

  @Override
  public CaptureType captureType() {
    return row.capture();
  }

  @Override
  public Tuple primaryKey() {
    Tuple known = primaryKey;
    if (known == null) {
      known = Tuple.unpack(row.primaryKey().copy());
      primaryKey = known;
    }
    return known;
  }

  @Override
  public Map<String, Object> keys() {
    return type.keyValues(primaryKey());
  }

  @Override
  public Map<String, @Nullable Object> newValues() {
    Content held = content();
    return switch (held.modType()) {
      case INSERT -> type.values(held.newFields(), tracked(held));
      case UPDATE ->
          type.values(
              held.newFields(), row.capture().keepsNewRow() ? tracked(held) : changed(held));
      case DELETE -> Map.of();
    };
  }

  @Override
  public Map<String, @Nullable Object> oldValues() {
    Content held = content();
    if (!row.capture().keepsOld()) {
      return Map.of();
    }
    return switch (held.modType()) {
      case INSERT -> Map.of();
      case UPDATE -> type.values(held.oldFields(), changed(held));
      case DELETE -> type.values(held.oldFields(), tracked(held));
    };
  }

  private static IntPredicate tracked(Content held) {
    int[] watched = held.watched();
    return watched == null ? any -> true : field -> Arrays.binarySearch(watched, field) >= 0;
  }

  private static IntPredicate changed(Content held) {
    return field -> Arrays.binarySearch(held.changed(), field) >= 0;
  }

  @Override
  public List<ChangeColumn> columns() {
    Set<String> names = new HashSet<>(newValues().keySet());
    names.addAll(oldValues().keySet());
    return type.columns(names);
  }

  @Override
  public <R> Optional<R> newRecord(RecordType<R> as) {
    Content held = content();
    boolean whole =
        switch (held.modType()) {
          case INSERT -> true;
          case UPDATE -> row.capture().keepsNewRow();
          case DELETE -> false;
        };
    return decode(as, held, whole ? held.newFields() : null);
  }

  @Override
  public <R> Optional<R> oldRecord(RecordType<R> as) {
    Content held = content();
    CaptureType capture = row.capture();
    Wire wire =
        switch (held.modType()) {
          case INSERT -> null;
          case UPDATE -> capture == CaptureType.NEW_ROW_AND_OLD_VALUES ? held.oldRow() : null;
          case DELETE -> capture.keepsOld() ? held.oldFields() : null;
        };
    return decode(as, held, wire);
  }

  private <R> Optional<R> decode(RecordType<R> as, Content held, @Nullable Wire wire) {
    if (!as.name().equals(type())) {
      throw new IllegalArgumentException(
          "The change is one of a %s; it cannot be read as a %s".formatted(type(), as.name()));
    }
    return wire == null || held.watched() != null
        ? Optional.empty()
        : Optional.of(as.codec().read(wire.reader()));
  }

  @Override
  public boolean isLastInTransactionInPartition() {
    return row.last();
  }

  @Override
  public int recordsInTransaction() {
    return row.records();
  }

  @Override
  public int partitionsInTransaction() {
    return row.partitions();
  }

  @Override
  public String transactionTag() {
    return row.tag();
  }

  @Override
  public boolean isSystemTransaction() {
    return row.system();
  }

  @Override
  public int bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return "change of the %s %s at %s".formatted(type(), primaryKey(), position);
  }
}
