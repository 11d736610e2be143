package dev.tidemark.partitions.internal.operations;

import dev.tidemark.coordination.Rows;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.ControlKeys;
import dev.tidemark.partitions.internal.store.OperationLockRow;
import dev.tidemark.partitions.internal.store.OperationRow;
import dev.tidemark.partitions.internal.store.OperationRow.Status;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Operations as rows, with the locks of the partitions they work on. */
public final class OperationTable {
  /** The step of an operation whose change is visible and cannot be taken back. */
  public static final String FLIPPED = "activate";

  /** The step of an operation that has not begun. */
  static final String BEGIN = "begin";

  /** Operations that have ended are forgotten after this time. */
  private static final Duration KEPT = Duration.ofHours(24);

  /** The operation with this id. */
  public Optional<OperationRow> find(Rows rows, String id) {
    return rows.get(ControlKeys.operation(id)).map(OperationRow::decode);
  }

  /** The operation with this id, which must be there. */
  public OperationRow require(Rows rows, String id) {
    return find(rows, id)
        .orElseThrow(() -> new PartitionException(Reason.NOT_FOUND, "There is no operation " + id));
  }

  /** All operations by id. */
  public Map<String, OperationRow> all(Rows rows) {
    Map<String, OperationRow> operations = new LinkedHashMap<>();
    for (Rows.Row row : rows.scan(ControlKeys.OPERATIONS, Integer.MAX_VALUE)) {
      operations.put(ControlKeys.nameOf(row.key()), OperationRow.decode(row.value()));
    }
    return operations;
  }

  /** Which operation is at work on each locked partition. */
  public Map<String, String> locks(Rows rows) {
    Map<String, String> locks = new HashMap<>();
    for (Rows.Row row : rows.scan(ControlKeys.OPERATION_LOCKS, Integer.MAX_VALUE)) {
      locks.put(ControlKeys.nameOf(row.key()), OperationLockRow.decode(row.value()).operation());
    }
    return locks;
  }

  /**
   * Writes down a new operation and locks its partitions. The same id again finds the operation of
   * the first time.
   *
   * @throws PartitionException BUSY if another operation is at work on a partition of this one
   */
  OperationRow create(Rows rows, String id, OperationRequest asked, long term, long now) {
    Optional<OperationRow> known = find(rows, id);
    if (known.isPresent()) {
      return known.get();
    }
    asked.locked().forEach(partition -> lock(rows, partition, id, term));
    OperationRow row =
        new OperationRow(
            asked.kind(),
            Status.RUNNING,
            BEGIN,
            asked.type(),
            asked.partition(),
            asked.other(),
            asked.node(),
            asked.key(),
            0,
            now,
            now + asked.deadline().toNanos() / 1_000,
            now,
            Optional.empty());
    put(rows, id, row);
    return row;
  }

  private void lock(Rows rows, String partition, String id, long term) {
    Optional<OperationLockRow> lock =
        rows.get(ControlKeys.operationLock(partition)).map(OperationLockRow::decode);
    if (lock.isPresent()) {
      throw new PartitionException(
          Reason.BUSY,
          "Operation %s is at work on partition %s; wait for its end, or cancel it"
              .formatted(lock.get().operation(), partition));
    }
    rows.set(ControlKeys.operationLock(partition), new OperationLockRow(id, term).encode());
  }

  void put(Rows rows, String id, OperationRow row) {
    rows.set(ControlKeys.operation(id), row.encode());
  }

  /** Ends an operation and releases its locks. */
  OperationRow end(Rows rows, String id, OperationRow row, Changes last) {
    for (String partition : locked(row)) {
      rows.get(ControlKeys.operationLock(partition))
          .map(OperationLockRow::decode)
          .filter(lock -> lock.operation().equals(id))
          .ifPresent(lock -> rows.clear(ControlKeys.operationLock(partition)));
    }
    OperationRow ended = last.applyTo(row);
    put(rows, id, ended);
    return ended;
  }

  static List<String> locked(OperationRow row) {
    return Stream.concat(row.partition().stream(), row.other().stream()).toList();
  }

  /** Whether {@code row} ended so long ago that it is forgotten. */
  static boolean isOver(OperationRow row, long now) {
    return row.status().isFinal() && row.changedAt() + KEPT.toNanos() / 1_000 < now;
  }

  /** Forgets the operation {@code id}, which is over. */
  void forget(Rows rows, String id) {
    rows.clear(ControlKeys.operation(id));
  }

  /**
   * What changes in an operation's row from one step to the next.
   *
   * @param status how far it is
   * @param step what comes next
   * @param attempt how often that was begun
   * @param at when
   * @param error why the last attempt failed
   */
  record Changes(Status status, String step, int attempt, long at, Optional<String> error) {
    OperationRow applyTo(OperationRow row) {
      return new OperationRow(
          row.kind(),
          status,
          step,
          row.type(),
          row.partition(),
          row.other(),
          row.node(),
          row.key(),
          attempt,
          row.createdAt(),
          row.deadline(),
          at,
          error);
    }
  }
}
