package dev.tidemark.pulse;

/** An event that a transaction adds. It has its id as soon as the transaction is committed. */
public interface EventTicket {
  /**
   * The id of the event.
   *
   * @throws IllegalStateException if the transaction has not been committed
   */
  EventId id();
}
