package dev.tidemark.coordination;

import java.time.Instant;

/**
 * The time of the store, as well as one process knows it: read from the store, advanced by the
 * process's steady clock, never going back. Leases and due times are compared with it, so that the
 * wall clocks of hosts do not matter.
 *
 * <p>A reading may lag behind the store by the time that a call takes. It does not run ahead of it
 * by more than two steady clocks drift apart.
 */
@FunctionalInterface
public interface StoreTime {
  /** The time now. May ask the store; call it before a transition and never inside one. */
  Instant now();
}
