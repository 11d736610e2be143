package dev.tidemark.changes;

import dev.tidemark.changes.internal.records.CommitTimes;
import dev.tidemark.kv.Versionstamp;
import dev.tidemark.records.changes.ChangePosition;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a record store in the words of a reader. A cursor has one of its own: what all changes
 * of a commit share, it works out once.
 */
final class RecordTranslation {
  private static final int SEQUENCE_DIGITS = 8;

  /** Most transactions have no more changes than this. */
  private static final List<String> FIRST_SEQUENCES =
      IntStream.range(0, 1_024).mapToObj(RecordTranslation::digits).toList();

  private final CommitTimes times;
  private @Nullable Commit latest;

  /** What the changes of one commit share. */
  private record Commit(Versionstamp stamp, String transactionId, Instant time) {}

  RecordTranslation(CommitTimes times) {
    this.times = times;
  }

  DataChange translated(dev.tidemark.records.changes.DataChange change) {
    ChangePosition position = change.position();
    Commit commit = commit(change, position);
    Mod mod =
        new Mod(
            Values.decodedBy(change::keys, change),
            Values.decodedBy(change::newValues),
            Values.decodedBy(change::oldValues));
    return new DataChange(
        Position.wrap(position.toByteArray()),
        commit.time(),
        sequence(position.sequence()),
        commit.transactionId(),
        change.isLastInTransactionInPartition(),
        change.type(),
        new DecodedLater(() -> columns(change)),
        List.of(mod),
        modType(change),
        captureType(change),
        change.recordsInTransaction(),
        change.partitionsInTransaction(),
        change.transactionTag(),
        change.isSystemTransaction());
  }

  private Commit commit(dev.tidemark.records.changes.DataChange change, ChangePosition position) {
    Commit known = latest;
    if (known == null || !known.stamp().equals(position.commit())) {
      Instant time =
          known != null && known.stamp().version() == position.version()
              ? known.time()
              : times.of(position.version());
      known = new Commit(position.commit(), change.transactionId(), time);
      latest = known;
    }
    return known;
  }

  private static DataChange.ModType modType(dev.tidemark.records.changes.DataChange change) {
    return switch (change.modType()) {
      case INSERT -> DataChange.ModType.INSERT;
      case UPDATE -> DataChange.ModType.UPDATE;
      case DELETE -> DataChange.ModType.DELETE;
    };
  }

  private static DataChange.CaptureType captureType(
      dev.tidemark.records.changes.DataChange change) {
    return switch (change.captureType()) {
      case OLD_AND_NEW_VALUES -> DataChange.CaptureType.OLD_AND_NEW_VALUES;
      case NEW_VALUES -> DataChange.CaptureType.NEW_VALUES;
      case NEW_ROW -> DataChange.CaptureType.NEW_ROW;
      case NEW_ROW_AND_OLD_VALUES -> DataChange.CaptureType.NEW_ROW_AND_OLD_VALUES;
    };
  }

  private static String sequence(int number) {
    return number < FIRST_SEQUENCES.size() ? FIRST_SEQUENCES.get(number) : digits(number);
  }

  /**
   * Eight digits at least, as Spanner has them. A formatter would take a quarter of a reader's
   * time.
   */
  private static String digits(int number) {
    String digits = Integer.toString(number);
    return "0".repeat(Math.max(0, SEQUENCE_DIGITS - digits.length())) + digits;
  }

  private static List<DataChange.ColumnType> columns(
      dev.tidemark.records.changes.DataChange change) {
    return change.columns().stream()
        .map(
            column ->
                new DataChange.ColumnType(
                    column.name(),
                    "{\"code\":\"" + column.type() + "\"}",
                    column.primaryKey(),
                    column.ordinal()))
        .toList();
  }
}
