package dev.tidemark.loader.internal.engine;

import dev.tidemark.loader.Warehouse;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Somebody in this process who moves a position of a warehouse. A warehouse notices when another
 * process has moved it; two that share a warehouse object look like one to it, so the second is
 * refused here.
 */
public final class Filling implements AutoCloseable {
  private static final ReentrantLock LOCK = new ReentrantLock();

  /** Guarded by LOCK: who moves which position of each warehouse object. */
  private static final IdentityHashMap<Warehouse, Map<String, Filling>> OPEN =
      new IdentityHashMap<>();

  private final Warehouse warehouse;
  private final String position;

  private Filling(Warehouse warehouse, String position) {
    this.warehouse = warehouse;
    this.position = position;
  }

  /**
   * Begins to move {@code position} of {@code warehouse}, until this is closed.
   *
   * @param what the work, for the message
   * @throws IllegalStateException if somebody else moves it
   */
  public static Filling begin(Warehouse warehouse, String position, String what) {
    Filling filling = new Filling(warehouse, position);
    LOCK.lock();
    try {
      Map<String, Filling> positions = OPEN.computeIfAbsent(warehouse, any -> new HashMap<>());
      if (positions.putIfAbsent(position, filling) != null) {
        throw new IllegalStateException(
            "%s goes on in this process already, with the same warehouse, and only one at a time may fill a table. Close the other one first."
                .formatted(what));
      }
      return filling;
    } finally {
      LOCK.unlock();
    }
  }

  /** Ends it. Can be called again, also when somebody else has begun since. */
  @Override
  public void close() {
    LOCK.lock();
    try {
      Map<String, Filling> positions = OPEN.get(warehouse);
      if (positions != null && positions.remove(position, this) && positions.isEmpty()) {
        OPEN.remove(warehouse);
      }
    } finally {
      LOCK.unlock();
    }
  }
}
