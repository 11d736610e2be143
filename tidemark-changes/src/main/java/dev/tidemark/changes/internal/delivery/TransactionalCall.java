package dev.tidemark.changes.internal.delivery;

import dev.tidemark.changes.ChangeHandler;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.internal.partition.FencedException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Effects of a batch and the position behind it in one transaction.
 *
 * <p>The position is written first, under the epoch of the claim: a process that has lost the
 * partition fails there, before the handler runs.
 */
public final class TransactionalCall {
  private final Database database;
  private final Advance advance;
  private final ChangeHandler.InTransaction handler;

  /** Stores where reading of a partition goes on, as a part of a transaction. */
  @FunctionalInterface
  public interface Advance {
    /** Stores {@code resume} for the partition that {@code claimed} names. */
    void to(Transaction tx, PartitionRow claimed, ResumePoint resume);
  }

  TransactionalCall(Database database, Advance advance, ChangeHandler.InTransaction handler) {
    this.database = database;
    this.advance = advance;
    this.handler = handler;
  }

  void invoke(List<PendingDelivery> deliveries) throws Exception {
    PendingBatch batch = new PendingBatch(deliveries);
    Map<PendingDelivery, ResumePoint> positions = positions(deliveries);
    try {
      database.<Exception>run(
          tx -> {
            positions.forEach((last, resume) -> advance.to(tx, last.claimed(), resume));
            handler.handle(tx, batch);
          });
      batch.ack();
    } catch (FencedException lost) {
      // The new owner delivers them; nothing of this transaction took place.
      deliveries.forEach(each -> each.deque().close());
    }
  }

  /** The last delivery of each partition, with the position behind it. */
  private static Map<PendingDelivery, ResumePoint> positions(List<PendingDelivery> deliveries) {
    Map<String, PendingDelivery> last = new LinkedHashMap<>();
    deliveries.forEach(each -> last.put(each.token(), each));
    Map<PendingDelivery, ResumePoint> positions = new LinkedHashMap<>();
    last.values().forEach(each -> positions.put(each, each.deque().resumeAfter(each.entry())));
    return positions;
  }
}
