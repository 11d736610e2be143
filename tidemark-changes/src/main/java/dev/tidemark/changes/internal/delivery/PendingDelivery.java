package dev.tidemark.changes.internal.delivery;

import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.Delivery;
import dev.tidemark.changes.PartitionRow;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A change between the reader and the program. */
public final class PendingDelivery implements Delivery {
  private final DataChange change;
  private final PartitionRow claimed;
  private final AckDeque deque;
  private final Entry entry;
  private final Consumer<Throwable> failures;
  private volatile @Nullable AckUnit unit;

  /** A change of the partition that {@code claimed} names. */
  public PendingDelivery(
      DataChange change,
      PartitionRow claimed,
      AckDeque deque,
      Entry entry,
      Consumer<Throwable> failures) {
    this.change = change;
    this.claimed = claimed;
    this.deque = deque;
    this.entry = entry;
    this.failures = failures;
  }

  @Override
  public DataChange change() {
    return change;
  }

  @Override
  public String token() {
    return claimed.token();
  }

  @Override
  public int attempt() {
    return deque.attempts(entry);
  }

  @Override
  public void ack() {
    AckUnit whole = unit;
    if (whole == null) {
      deque.ack(List.of(entry));
    } else {
      whole.ack(this);
    }
  }

  @Override
  public void fail(Throwable cause) {
    failures.accept(cause);
  }

  /** Has acknowledgements wait for those of the rest of {@code whole}. */
  void joins(AckUnit whole) {
    unit = whole;
  }

  /** Whether it is acknowledged together with others. */
  boolean isPartOfUnit() {
    return unit != null;
  }

  /** Whether it waits for its acknowledgement, and the partition was not lost. */
  boolean isOpen() {
    return deque.isOpen(entry);
  }

  /** Notes that the program gets it now; false if that is no use any more. */
  boolean begin(long nanos, Gate gate) {
    return !begin(List.of(this), nanos, gate).isEmpty();
  }

  /**
   * Those of {@code deliveries} that the program gets now; the others are of no use any more.
   *
   * <p>The gate is asked after they were noted: who shuts it and then looks at what the program has
   * either finds them or keeps them from the program.
   */
  static List<PendingDelivery> begin(List<PendingDelivery> deliveries, long nanos, Gate gate) {
    List<PendingDelivery> begun = begin(deliveries, nanos);
    if (gate.isShut()) {
      begun.forEach(each -> each.deque.withdraw(each.entry));
      return List.of();
    }
    return begun;
  }

  private static List<PendingDelivery> begin(List<PendingDelivery> deliveries, long nanos) {
    List<PendingDelivery> begun = List.of();
    for (int from = 0, to = 0; from < deliveries.size(); from = to) {
      AckDeque deque = deliveries.get(from).deque;
      while (to < deliveries.size() && deliveries.get(to).deque == deque) {
        to++;
      }
      List<PendingDelivery> some = deque.deliver(deliveries.subList(from, to), nanos);
      if (begun.isEmpty()) {
        begun = some;
      } else {
        begun.addAll(some);
      }
    }
    return begun;
  }

  /** The partition's row as it was claimed. */
  public PartitionRow claimed() {
    return claimed;
  }

  /** The deque of the partition. */
  public AckDeque deque() {
    return deque;
  }

  /** Its place in the deque. */
  public Entry entry() {
    return entry;
  }
}
