package dev.tidemark.loader;

/** What became of a merge. */
public sealed interface MergeOutcome {
  /**
   * The batch is stored for good.
   *
   * @param changed how many rows were inserted, updated or deleted, or -1 if that is not known
   */
  record Merged(long changed) implements MergeOutcome {}

  /** Nothing is stored since a row was refused for its data. The loader looks for the row. */
  record Refused(String reason) implements MergeOutcome {}

  /** Nothing is stored; the same batch may succeed later. */
  record Unavailable(String reason) implements MergeOutcome {}

  /**
   * Nothing is stored, and nothing will be until somebody does something: a missing table, a
   * missing permission. The run ends.
   */
  record Impossible(String reason) implements MergeOutcome {}

  /** The batch may be stored or not, or still be on its way. */
  record Unknown(String reason) implements MergeOutcome {}

  /** The job asked for is not stored and never will be. */
  record Absent() implements MergeOutcome {}
}
