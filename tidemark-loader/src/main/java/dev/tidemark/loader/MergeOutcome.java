package dev.tidemark.loader;

/** What became of a merge. */
public sealed interface MergeOutcome {
  /**
   * The batch is stored for good.
   *
   * @param changed how many rows were inserted, updated or deleted, or -1 if that is not known
   */
  record Merged(long changed) implements MergeOutcome {}

  /**
   * Nothing is stored, because a row was refused for its data. The loader searches for that row.
   */
  record Refused(String reason) implements MergeOutcome {}

  /** Nothing is stored; the same batch may succeed later. */
  record Unavailable(String reason) implements MergeOutcome {}

  /**
   * Nothing is stored, and retries will not help: a table or a permission is missing, for example.
   * The run ends.
   */
  record Impossible(String reason) implements MergeOutcome {}

  /** The batch may be stored or not, or still be on its way. */
  record Unknown(String reason) implements MergeOutcome {}

  /** The job asked for is not stored and never will be. */
  record Absent() implements MergeOutcome {}
}
