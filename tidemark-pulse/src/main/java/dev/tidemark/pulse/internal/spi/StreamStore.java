package dev.tidemark.pulse.internal.spi;

import dev.tidemark.kv.Transaction;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventTicket;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.Start;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** The events of one stream and the groups that consume them. */
public interface StreamStore {
  /** Adds an event. */
  EventId add(NewEvent event);

  /** Adds an event if the stream exists. */
  Optional<EventId> addIfExists(NewEvent event);

  /** Adds an event unless {@code key} was used before. */
  EventId addOnce(String key, NewEvent event);

  /** Adds an event when {@code tx} commits. */
  EventTicket add(Transaction tx, NewEvent event);

  /** Removes events; how many of them were there. */
  long remove(Collection<EventId> ids);

  /** Removes everything of the stream. */
  void destroy();

  /** How many events there are. */
  long length();

  /**
   * The position that {@code start} names now: events behind it are to be read. Never a moving
   * "newest".
   */
  EventId position(Start start);

  /** The durable cursor {@code reader}; a new one is stored and begins at {@code start}. */
  EventId cursor(String reader, Start start);

  /** Moves the durable cursor {@code reader} to {@code position}. */
  void moveCursor(String reader, EventId position);

  /** Opens reads of this stream that may block, with whatever connection of their own they need. */
  Tail tail();

  /** Joins the group {@code sink}, which begins at the start of {@code options} if it is new. */
  Group group(String sink, Start start, SinkOptions options);

  /** Reads that may block. Used by one thread; closed by any. */
  interface Tail extends AutoCloseable {
    /** Up to {@code max} events behind {@code position}; waits at most {@code block} for one. */
    List<Event> after(EventId position, int max, Duration block);

    /** Ends a blocked read, which then returns what it has or throws. */
    @Override
    void close();
  }

  /** One consumer of a group. {@link #claim} is used by one thread, the rest by any. */
  interface Group extends AutoCloseable {
    /** Up to {@code max} events that no consumer has had; waits at most {@code block} for one. */
    List<Event> claim(int max, Duration block);

    /**
     * Up to {@code max} events whose grace has passed, now this consumer's. Those delivered too
     * often go to the dead letters instead.
     */
    List<Event> reclaim(int max);

    /** Acknowledges events. */
    void ack(Collection<Event> events);

    /** Acknowledges events when {@code tx} commits; the ids of those that were still to be. */
    Set<EventId> ack(Transaction tx, Collection<Event> events);

    /**
     * Runs {@code handler} in a transaction that acknowledges {@code event}, again on conflict, and
     * commits it. Nothing happens if the event is acknowledged already.
     *
     * @throws UnsupportedOperationException if the store has no transactions to join
     */
    void handle(Event event, BiConsumer<Transaction, Event> handler);

    /**
     * Gives this consumer the whole grace again for events that it holds. Those that went to
     * another consumer in the meantime stay there.
     *
     * @return the ids of those that still are this consumer's and not acknowledged
     */
    Set<EventId> renew(Collection<Event> events);

    /** Whether it pays to claim events before somebody asks for them. */
    default boolean claimsEarly() {
      return false;
    }

    /**
     * Lets any consumer have events that this one holds and has handed to nobody, as if it had not
     * claimed them. Where that fails they go to others after the grace.
     */
    void giveBack(Collection<Event> events);

    /** Does the same for events that somebody has got, however long the store takes. */
    void release(Collection<Event> events);

    /**
     * Does the same for events that this consumer may hold without having got them, since an answer
     * of the store was lost. By the thread that claims, after its last claim.
     */
    default void giveBackStranded() {}

    /** Shows that this consumer is alive, and forgets those that are not. */
    void keepAlive();

    /** Leaves; what was claimed and not acknowledged is reclaimed by others after the grace. */
    @Override
    void close();
  }
}
