package dev.tidemark.changes;

import java.util.Set;

/**
 * Where reading of a partition goes on after a restart.
 *
 * <p>Everything before {@link #position} has been acknowledged. Of the records at the position
 * itself, those named by {@link #boundary} have been acknowledged too; a query from the position
 * returns them again, and the reader drops them by their {@link DataChange#id}. The set may be
 * incomplete: then some records at the position are delivered a second time.
 *
 * @param position the position of the last acknowledged item, or the start of the partition
 * @param boundary ids of acknowledged records at the position
 */
public record ResumePoint(Position position, Set<String> boundary) {
  /** The most ids that are kept at one position. */
  public static final int BOUNDARY_MAX = 256;

  /** Copies the set. */
  public ResumePoint {
    boundary = Set.copyOf(boundary);
  }

  /** The point where nothing at {@code position} has been acknowledged. */
  public static ResumePoint at(Position position) {
    return new ResumePoint(position, Set.of());
  }
}
