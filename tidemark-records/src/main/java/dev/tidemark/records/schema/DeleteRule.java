package dev.tidemark.records.schema;

/** What happens to a record when a record that it refers to is deleted. */
public enum DeleteRule {
  /** Nothing: it keeps a key of a record that is gone. */
  NO_ACTION,
  /** The delete is refused while it exists. */
  RESTRICT,
  /** Its reference becomes null; of several, the one is taken out. */
  NULLIFY,
  /** It is deleted too. */
  CASCADE
}
