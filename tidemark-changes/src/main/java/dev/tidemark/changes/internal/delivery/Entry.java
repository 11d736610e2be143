package dev.tidemark.changes.internal.delivery;

import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.Position;

/**
 * An item of a partition in read order, until everything up to it is acknowledged. It keeps the
 * parts of the id and not the record, so that a slow neighbour does not hold records in memory.
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
  final int bytes;

  /** Whether everything before it in the deque is known to be at an earlier position. */
  final boolean later;

  private final String transaction;
  private final String sequence;
  private final String table;

  // Guarded by the lock of the deque.
  boolean acked;
  boolean delivered;
  boolean reported;
  boolean released;
  long deliveredNanos;
  int attempts;

  /**
   * A change that takes about {@code bytes}.
   *
   * @param later whether all that was read before it is known to be at an earlier position
   */
  public Entry(DataChange change, int bytes, boolean later) {
    this.kind = Kind.DATA;
    this.position = change.position();
    this.bytes = bytes;
    this.later = later;
    this.transaction = change.serverTransactionId();
    this.sequence = change.recordSequence();
    this.table = change.table();
  }

  /** A heartbeat or a child record. */
  Entry(Kind kind, Position position) {
    this.kind = kind;
    this.position = position;
    this.bytes = 0;
    this.later = false;
    this.transaction = "";
    this.sequence = "";
    this.table = "";
  }

  /** The id of the change; few are asked for it. */
  String id() {
    // As DataChange has it.
    return transaction + '/' + sequence + '/' + table;
  }
}
