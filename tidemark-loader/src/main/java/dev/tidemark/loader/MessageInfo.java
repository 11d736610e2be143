package dev.tidemark.loader;

import java.util.UUID;

/**
 * A delivery that a loader is responsible for.
 *
 * @param id the id that the loader gave the delivery when it arrived
 * @param message the id of the message
 * @param state how far it is
 */
public record MessageInfo(UUID id, String message, State state) {
  /** How far a delivery is, from its arrival to its acknowledgement. */
  public enum State {
    /** In memory, waiting for its batch. */
    BUFFERED,
    /** In a batch that is being merged. */
    IN_FLIGHT,
    /** Stored, or a dead letter; to be acknowledged. */
    STORED,
    /** Acknowledged. */
    ACKED,
    /** Given back. */
    NACKED
  }
}
