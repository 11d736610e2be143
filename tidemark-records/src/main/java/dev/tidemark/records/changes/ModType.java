package dev.tidemark.records.changes;

/** The kind of a change. */
public enum ModType {
  /** It was not there before. */
  INSERT,
  /** It was there and has other values. */
  UPDATE,
  /** It is not there any more. */
  DELETE
}
