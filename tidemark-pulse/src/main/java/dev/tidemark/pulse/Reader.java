package dev.tidemark.pulse;

import java.util.List;
import java.util.function.Consumer;

/**
 * Reads every event of one or more streams, with its own cursor.
 *
 * <p>Either pull with {@link #read}, or push with {@link #subscribe}; every subscription gets every
 * event. A reader with a name is durable: {@link #ack} moves a cursor that is kept in the store,
 * and a later reader of that name goes on behind it.
 */
public interface Reader extends AutoCloseable {
  /**
   * The next events, as many as are there up to {@link ReaderOptions#batchMax}; waits for the first
   * at most {@link ReaderOptions#block}. Empty if none came.
   *
   * @throws IllegalStateException if the reader is closed
   */
  List<Event> read();

  /**
   * Hands every event from now on to {@code handler}, one at a time and in order, on a thread of
   * its own. A slow handler slows the reader once {@link ReaderOptions#buffer} events wait for it.
   * An exception of the handler ends the subscription; it is logged, as those of sinks are, and is
   * in {@link Subscription#failure}.
   */
  Subscription subscribe(Consumer<Event> handler);

  /**
   * Moves the durable cursor behind {@code event}.
   *
   * @throws IllegalStateException if the reader has no name
   */
  void ack(Event event);

  /** Also reads {@code stream}, from this reader's own start; nothing if it does already. */
  void addStream(EventStream stream);

  /** Also reads {@code stream}, from {@code start}; nothing if it does already. */
  void addStream(EventStream stream, Start start);

  /** No longer reads {@code stream}; nothing if it does not. */
  void removeStream(EventStream stream);

  /** Whether {@link #close} was called. */
  boolean isClosed();

  /** Ends blocked reads and subscriptions within a second. Can be called again. */
  @Override
  void close();
}
