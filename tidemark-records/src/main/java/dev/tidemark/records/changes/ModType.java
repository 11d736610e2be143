package dev.tidemark.records.changes;

/** What happened to a record. */
public enum ModType {
  /** It was not there before. */
  INSERT,
  /** It was there and has other values. */
  UPDATE,
  /** It is not there any more. */
  DELETE
}
