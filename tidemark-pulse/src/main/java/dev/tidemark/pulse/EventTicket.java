package dev.tidemark.pulse;

/** An event that a transaction adds. Its id is known once the transaction has committed. */
public interface EventTicket {
  /**
   * The id of the event.
   *
   * @throws IllegalStateException if the transaction has not been committed
   */
  EventId id();
}
