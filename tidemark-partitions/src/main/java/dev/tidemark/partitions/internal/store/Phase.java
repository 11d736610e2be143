package dev.tidemark.partitions.internal.store;

/** What the owner of a partition may do. The order is part of the format. */
public enum Phase {
  /** It serves requests and appends to the log. */
  SERVING,
  /** It does neither, because the partition is about to move. */
  QUIESCED,
  /** It loads the partition, and makes it {@link #SERVING} when it has. */
  RECOVERING,
  /** The partition was merged into another, and is kept only to say so. */
  RETIRED
}
