package dev.tidemark.changes.internal.delivery;

import dev.tidemark.changes.OrderMode;
import dev.tidemark.changes.Position;
import java.util.Comparator;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Creates the outlet of each order mode. */
public final class Outlets {
  private Outlets() {}

  /**
   * The outlet for {@code mode}.
   *
   * @param most the most deliveries of one call
   * @param inFlight the most deliveries of a partition at once
   * @param cut held while changes of one transaction are acknowledged
   */
  public static Outlet of(
      OrderMode mode,
      Executor executor,
      Call call,
      Gate gate,
      Consumer<Throwable> failures,
      Comparator<Position> order,
      int most,
      int inFlight,
      ReentrantLock cut) {
    Lane.Setting setting = new Lane.Setting(executor, call, gate, failures);
    return switch (mode) {
      case UNORDERED -> new PartitionOutlet(setting, inFlight, most);
      case PARTITION -> new PartitionOutlet(setting, 1, most);
      case KEY -> new KeyOutlet(setting, inFlight);
      case COMMIT_TIMESTAMP -> new OrderedOutlet(setting, order, false, most, cut);
      case TRANSACTION -> new OrderedOutlet(setting, order, true, most, cut);
    };
  }
}
