package dev.tidemark.records.internal.build;

import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.UnfitRecordsException;
import dev.tidemark.records.internal.build.Fragments.Fragment;
import dev.tidemark.records.maintenance.BuildProgress;
import dev.tidemark.records.maintenance.BuildProgress.Certainty;
import dev.tidemark.records.maintenance.UnfitRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Adds up the results of the workers of a build. The progress that it shows never decreases. */
final class BuildTracker {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<String> indexes;
  private final TimeSource time;
  private final long startNanos;
  private final long exactTotal;
  private final long storedBytes;

  // Guarded by this.
  private long scanned;
  private long records;
  private long indexed;
  private long bytes;
  private long batches;
  private long aborted;
  private double fraction;
  private boolean complete;
  private @Nullable Key current;
  private @Nullable String lastError;
  private final List<UnfitRecord> unfit = new ArrayList<>();
  private long unfitCount;

  /**
   * @param exactTotal how many records there are; -1 if nobody has counted them
   * @param storedBytes roughly how large all of them are
   */
  BuildTracker(List<String> indexes, TimeSource time, long exactTotal, long storedBytes) {
    this.indexes = indexes;
    this.time = time;
    this.startNanos = time.nanos();
    this.exactTotal = exactTotal;
    this.storedBytes = storedBytes;
  }

  synchronized void committed(BuildBatch.Result result) {
    batches++;
    records += result.records();
    indexed += result.indexed();
    bytes += result.bytes();
    scanned = Math.max(scanned, result.scanned());
    current = result.last() == null ? current : result.last();
    long total = total();
    if (total > 0) {
      fraction = Math.max(fraction, Math.min(1, (double) scanned / total));
    }
  }

  /** A batch among the records of {@code part} did not commit. */
  synchronized void failed(Fragment part, DatabaseException failure) {
    batches++;
    aborted++;
    lastError = "%s: %s".formatted(part.text(), failure.getMessage());
  }

  /** A record that an index cannot hold was skipped. */
  synchronized void unfit(UnfitRecord record) {
    unfitCount++;
    lastError = record.reason();
    if (unfit.size() < UnfitRecordsException.RECORDS_MAX) {
      unfit.add(record);
    }
  }

  synchronized long unfitCount() {
    return unfitCount;
  }

  synchronized List<UnfitRecord> unfit() {
    return List.copyOf(unfit);
  }

  /** The build is complete, after all programs together have scanned {@code seen} records. */
  synchronized void complete(long seen) {
    scanned = Math.max(scanned, seen);
    complete = true;
    fraction = 1;
  }

  private Certainty certainty() {
    if (complete || exactTotal >= 0) {
      return Certainty.EXACT;
    }
    return storedBytes > 0 && records > 0 ? Certainty.ESTIMATED : Certainty.UNKNOWN;
  }

  /** All records; writers may have added some since they were counted. */
  private long total() {
    return switch (certainty()) {
      case EXACT -> complete ? scanned : Math.max(scanned, exactTotal);
      case ESTIMATED -> Math.max(scanned, (long) ((double) storedBytes * records / bytes));
      case UNKNOWN -> 0;
    };
  }

  /**
   * The progress of a build in another program, of which only the stored part is known.
   *
   * @param done whether the indexes can be read
   * @param seen how many records have been seen
   * @param missingBytes roughly how large those are that have not
   */
  BuildProgress elsewhere(boolean done, long seen, long missingBytes) {
    long passed = Math.max(0, storedBytes - missingBytes);
    boolean estimated = exactTotal < 0 && seen > 0 && passed > 0;
    long total =
        exactTotal >= 0
            ? Math.max(seen, exactTotal)
            : estimated ? Math.max(seen, (long) ((double) storedBytes * seen / passed)) : 0;
    return new BuildProgress(
        indexes,
        done ? total : seen,
        0,
        total,
        exactTotal >= 0 ? Certainty.EXACT : estimated ? Certainty.ESTIMATED : Certainty.UNKNOWN,
        done ? 1 : total == 0 ? 0 : Math.min(1, (double) seen / total),
        0,
        Duration.ZERO,
        Optional.empty(),
        Optional.empty(),
        0,
        0,
        Optional.empty(),
        done);
  }

  synchronized BuildProgress snapshot() {
    long elapsed = Math.max(1, time.nanos() - startNanos);
    double rate = records * NANOS_PER_SECOND / elapsed;
    long total = total();
    Optional<Duration> remaining =
        total == 0 || records == 0
            ? Optional.empty()
            : Optional.of(Duration.ofNanos((long) ((total - scanned) / rate * NANOS_PER_SECOND)));
    return new BuildProgress(
        indexes,
        scanned,
        indexed,
        total,
        certainty(),
        fraction,
        rate,
        Duration.ofNanos(elapsed),
        remaining,
        Optional.ofNullable(current).map(Tuple::unpack),
        batches,
        aborted,
        Optional.ofNullable(lastError),
        complete);
  }
}
