package dev.tidemark.changes.internal.delivery;

import dev.tidemark.changes.ChangeHandler;
import dev.tidemark.changes.internal.delivery.TransactionalCall.Advance;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.TimeSource;
import java.util.List;

/**
 * The ways to call a handler.
 *
 * @param gate tells whether the program may be called
 * @param autoAck whether returning acknowledges
 * @param time the clock that acknowledgements are timed with
 */
public record Calls(Gate gate, boolean autoAck, TimeSource time) {
  /** A call for each delivery. */
  public Call each(ChangeHandler handler) {
    return deliveries -> {
      for (PendingDelivery delivery : whole(deliveries)) {
        if (gate.awaitOpen() && delivery.begin(time.nanos(), gate)) {
          handler.handle(delivery);
          if (autoAck) {
            delivery.ack();
          }
        }
      }
    };
  }

  /** A call for all deliveries together. */
  public Call batch(ChangeHandler.OfBatch handler) {
    return deliveries -> {
      List<PendingDelivery> begun = begin(deliveries);
      if (!begun.isEmpty()) {
        PendingBatch batch = new PendingBatch(begun);
        handler.handle(batch);
        if (autoAck) {
          batch.ack();
        }
      }
    };
  }

  /** A call for all deliveries together, in the transaction that stores the position after them. */
  public Call transactional(
      Database database, Advance advance, ChangeHandler.InTransaction handler) {
    TransactionalCall call = new TransactionalCall(database, advance, handler);
    return deliveries -> {
      List<PendingDelivery> begun = begin(deliveries);
      if (!begun.isEmpty()) {
        call.invoke(begun);
      }
    };
  }

  private List<PendingDelivery> begin(List<PendingDelivery> deliveries)
      throws InterruptedException {
    return gate.awaitOpen()
        ? PendingDelivery.begin(whole(deliveries), time.nanos(), gate)
        : List.of();
  }

  /** Nothing of a transaction, a part of which was lost to another process. */
  private static List<PendingDelivery> whole(List<PendingDelivery> deliveries) {
    boolean broken =
        deliveries.getFirst().isPartOfUnit()
            && !deliveries.stream().allMatch(PendingDelivery::isOpen);
    return broken ? List.of() : deliveries;
  }
}
