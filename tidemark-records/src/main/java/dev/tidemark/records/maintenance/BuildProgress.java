package dev.tidemark.records.maintenance;

import dev.tidemark.kv.tuple.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The progress of a build of indexes. Within one build no count ever decreases.
 *
 * @param indexes the names of the indexes
 * @param scanned the number of records that were scanned, including those of other programs and
 *     earlier runs
 * @param indexed the number of records scanned in this run that have an entry
 * @param total the number of records, with the accuracy {@code certainty}; 0 if unknown
 * @param certainty the accuracy of {@code total}
 * @param fraction the fraction that is done, from 0 to 1; 0 while the total is unknown
 * @param perSecond the records a second of this run
 * @param elapsed the time since this run began
 * @param remaining the time that the rest takes at this rate
 * @param current a primary key at which the build is working
 * @param attempts the number of transactions that were tried
 * @param aborted the number of transactions that did not commit, mostly because of conflicts with
 *     writers
 * @param lastError why the last of these failed, and its range of records
 * @param complete whether the indexes are complete
 */
public record BuildProgress(
    List<String> indexes,
    long scanned,
    long indexed,
    long total,
    Certainty certainty,
    double fraction,
    double perSecond,
    Duration elapsed,
    Optional<Duration> remaining,
    Optional<Tuple> current,
    long attempts,
    long aborted,
    Optional<String> lastError,
    boolean complete) {
  /** The accuracy of a number of records. */
  public enum Certainty {
    /** Counted by a readable COUNT index without columns or filter. */
    EXACT,
    /** Estimated from the stored size. */
    ESTIMATED,
    /** Unknown. */
    UNKNOWN
  }

  /** Copies the list. */
  public BuildProgress {
    indexes = List.copyOf(indexes);
  }

  /**
   * The progress as a line of plain text, for terminals and logs: a bar of {@code width}
   * characters, the records that are done, the records a second, the time that is left and the
   * batches that met a conflict. While the total is unknown there is no bar.
   *
   * <pre>[#########-----------]  45 %  45,000 of 100,000 records  120,000/s  0:01 left</pre>
   *
   * @throws IllegalArgumentException if {@code width} is not positive
   */
  public String line(int width) {
    return ProgressBar.line(this, width);
  }
}
