package dev.tidemark.pulse;

import dev.tidemark.kv.Transaction;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One of the consumers that share the events of one or more streams under one name.
 *
 * <p>Every event goes to one instance. If it is not acknowledged within the grace period it goes to
 * any of them again, with a higher {@link Event#deliveries}: at least once. With {@link
 * SinkOptions#noAck} it is handed out at most once.
 */
public interface Sink extends AutoCloseable {
  /** The name that the instances share. */
  String name();

  /**
   * The next events for this instance; waits for the first at most {@link SinkOptions#block}. Empty
   * if none came.
   */
  List<Event> read();

  /**
   * Hands events to {@code handler} as they come, at most {@link SinkOptions#parallel} at a time.
   * An event is acknowledged when the handler returns; if it throws, the event is delivered again
   * after the grace period.
   */
  Subscription subscribe(Consumer<Event> handler);

  /**
   * Hands events to {@code handler} together with the transaction in which they are acknowledged:
   * what the handler writes with it and the acknowledgement happen together or not at all.
   *
   * <p>So inside the store each event has its effect exactly once, however often it is delivered
   * and whoever crashes. The handler may still run several times; what it does elsewhere, like
   * sending mail, can happen more than once. {@link Event#id} is a key to recognise that by.
   *
   * <p>An event has no effect at all in three cases. A handler that takes longer than a transaction
   * may, five seconds from its first read to the commit, or writes more than one may, never
   * commits: the event is delivered again, as after an exception. With {@link
   * SinkOptions#deliveriesMax} an event whose handler failed so often becomes a dead letter. And an
   * event that the stream has lost meanwhile, by its length, its time to live or a removal, is not
   * delivered, or not again.
   *
   * @throws UnsupportedOperationException if the store has no transactions to join
   * @throws IllegalStateException if the sink has no acknowledgements ({@link SinkOptions#noAck})
   */
  Subscription subscribe(BiConsumer<Transaction, Event> handler);

  /** Acknowledges {@code event}: it is not delivered again. Any instance may do so. */
  void ack(Event event);

  /** Acknowledges several events at once. */
  void ackAll(List<Event> events);

  /**
   * Acknowledges {@code event} when {@code tx} commits. The commit fails with a conflict if another
   * instance acknowledged it or took it over in between.
   *
   * @return whether the event was still to be acknowledged; with false, do not do its work again
   * @throws UnsupportedOperationException if the store has no transactions to join
   */
  boolean ack(Transaction tx, Event event);

  /**
   * Acknowledges many events when {@code tx} commits, for far less than one call for each: do the
   * work of a whole {@link #read} in one transaction. The commit fails with a conflict if somebody
   * else acknowledged one of them, or another event of the same read, or took them over in between.
   *
   * @return those of {@code events} that were still to be acknowledged, in their order; do not do
   *     the work of the others again
   * @throws UnsupportedOperationException if the store has no transactions to join
   */
  List<Event> ackAll(Transaction tx, List<Event> events);

  /**
   * Gives events back that this instance has read and will not handle: any instance gets them again
   * within a second, and it does not count as a delivery. Events that went to another instance in
   * the meantime, or are acknowledged, stay as they are. Not for the event of a handler that is
   * running: to have that one again, throw.
   *
   * @throws IllegalStateException if the sink has no acknowledgements ({@link SinkOptions#noAck})
   */
  void release(List<Event> events);

  /**
   * Gives this instance the whole grace again, from now, for events that it has read and not
   * acknowledged yet. Call it before the grace is over, again and again while the work goes on.
   *
   * @return those of {@code events} that still are this instance's; the others went to another one
   *     or are acknowledged, so do not do their work here
   * @throws IllegalStateException if the sink has no acknowledgements ({@link SinkOptions#noAck})
   */
  List<Event> extend(List<Event> events);

  /** Also consumes {@code stream}, from this sink's own start; nothing if it does already. */
  void addStream(EventStream stream);

  /** Also consumes {@code stream}, from {@code start} if the sink is new there. */
  void addStream(EventStream stream, Start start);

  /** No longer consumes {@code stream} in this instance; the sink keeps its place there. */
  void removeStream(EventStream stream);

  /** What this instance has done so far, from memory. Can be asked after {@link #close}. */
  SinkStatistics statistics();

  /** Whether {@link #close} was called. */
  boolean isClosed();

  /**
   * Stops consuming, within a second. Events that were handed out and not acknowledged go to other
   * instances after the grace period. Can be called again.
   */
  @Override
  void close();
}
