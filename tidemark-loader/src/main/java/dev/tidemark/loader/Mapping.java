package dev.tidemark.loader;

/** How messages become rows of one table. */
public interface Mapping {
  /** The table. */
  Table table();

  /**
   * The row of a message, or why it has none. An exception counts as a rejection, so that one
   * message never stops the others.
   */
  Result map(Message message);

  /** What a message becomes. */
  sealed interface Result {
    /** A row, or the deletion of one. */
    record Mapped(Row row) implements Result {}

    /** A dead letter, for this reason. */
    record Rejected(String reason) implements Result {}

    /** Nothing: the message is acknowledged and forgotten. */
    record Ignored() implements Result {}
  }
}
