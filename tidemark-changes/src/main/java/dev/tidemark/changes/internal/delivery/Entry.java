package dev.tidemark.changes.internal.delivery;

import dev.tidemark.changes.Position;
import org.jspecify.annotations.Nullable;

/**
 * An item of a partition in read order, until everything up to it is acknowledged. It keeps the id
 * and not the record, so that a slow neighbour does not hold records in memory.
 */
public final class Entry {
  /** What the item was. */
  public enum Kind {
    DATA,
    HEARTBEAT,
    CHILDREN
  }

  final Kind kind;
  final Position position;
  final @Nullable String id;
  final int bytes;

  // Guarded by the lock of the deque.
  boolean acked;
  boolean delivered;
  boolean reported;
  long deliveredNanos;

  Entry(Kind kind, Position position, @Nullable String id, int bytes) {
    this.kind = kind;
    this.position = position;
    this.id = id;
    this.bytes = bytes;
  }
}
