package dev.tidemark.records.maintenance;

import dev.tidemark.kv.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How far a build of indexes has come. Of two that a build shows one after the other, no count of
 * the later one is smaller.
 *
 * @param indexes the names of the indexes
 * @param scanned how many records have been seen, by other programs and earlier runs too
 * @param indexed how many of those seen in this run gave an entry
 * @param total how many records there are, as far as {@code certainty} says; 0 if that is unknown
 * @param certainty what {@code total} is worth
 * @param fraction how much is done, from 0 to 1; 0 while the total is unknown
 * @param perSecond how many records a second this run has seen
 * @param elapsed since this run began
 * @param remaining how long it will take at this rate
 * @param current a primary key where it is at work
 * @param attempts how many transactions were tried
 * @param aborted how many of them did not commit, mostly because writers were faster
 * @param lastError why the last of those did not, and among which records it was at work
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
  /** What a number of records is worth. */
  public enum Certainty {
    /** They were counted: a readable COUNT index without columns or filter did. */
    EXACT,
    /** They were estimated from the size of what is stored. */
    ESTIMATED,
    /** Nothing is known. */
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
