package dev.tidemark.remote;

/** What the holder of a token may do with a served database. */
public enum Role {
  /** Reads and watches. Commits that write are refused. */
  READ_ONLY,
  /** Everything. */
  READ_WRITE
}
