package dev.tidemark.grpc;

/**
 * What the holder of a token may do. Each role includes those before it: an operator reads and
 * writes too, and a node may do everything.
 */
public enum Role {
  /** Reads and watches. */
  READ,
  /** Changes data too. */
  WRITE,
  /** Operates the service too: backups, moves, settings. */
  OPERATOR,
  /** Is a server of the same cluster, and speaks for its clients. */
  NODE;

  /** Whether a holder of this role may do what {@code required} is needed for. */
  public boolean includes(Role required) {
    return compareTo(required) >= 0;
  }
}
