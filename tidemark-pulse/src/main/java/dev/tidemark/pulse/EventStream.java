package dev.tidemark.pulse;

import dev.tidemark.kv.Transaction;
import java.util.Collection;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * An append-only stream of events, kept up to a length.
 *
 * <p>Readers see every event, each with its own cursor. Sinks of one name share a cursor: each
 * event goes to one of them, and to another if it is not acknowledged in time.
 */
public interface EventStream {
  /** The name. Handles with the same name are the same stream. */
  String name();

  /** The options of this handle. */
  StreamOptions options();

  /** Adds an event without a topic. */
  default EventId add(String name, byte[] payload) {
    return add(name, "", payload);
  }

  /**
   * Adds an event. When this returns, it is in the stream, behind all events whose adding had
   * returned before this call.
   *
   * <p>If the store cannot tell whether an event was added, for instance since it could not be
   * reached any more or the caller was interrupted, the exception says so, and adding it again may
   * add it twice; {@link #addOnce} does not.
   *
   * @param name what happened; at most 2,048 bytes of UTF-8
   * @param topic what readers and sinks can filter by; at most 2,048 bytes of UTF-8, empty for none
   * @param payload copied; at most {@link StreamOptions#payloadBytesMax}
   * @throws IllegalArgumentException if the payload, the name or the topic is too large
   */
  EventId add(String name, String topic, byte[] payload);

  /** Adds an event if the stream exists; otherwise does nothing and returns empty. */
  Optional<EventId> addIfExists(String name, String topic, byte[] payload);

  /**
   * Adds an event once: a second call with the same {@code key} adds nothing and returns the id of
   * the first. For callers that repeat what they are not sure has arrived. The key is remembered
   * for {@link StreamOptions#onceFor}.
   *
   * @param key 1 to 256 bytes of UTF-8
   * @throws ConflictingEventException if the first call had another name, topic or payload
   */
  EventId addOnce(String key, String name, String topic, byte[] payload);

  /**
   * Adds an event when {@code tx} commits, and not if it does not. Events of one transaction come
   * in the order of the calls.
   *
   * @throws UnsupportedOperationException if the store has no transactions to join
   */
  EventTicket add(Transaction tx, String name, String topic, byte[] payload);

  /** Removes events; those that are not there are ignored. Returns how many were there. */
  long remove(Collection<EventId> ids);

  /** Removes the stream with everything it has: events, sinks, durable cursors. */
  void destroy();

  /** How many events there are. */
  long length();

  /**
   * A reader of this stream with default options: it begins with the first event added from now on.
   */
  default Reader reader() {
    return reader(UnaryOperator.identity());
  }

  /**
   * A reader of this stream. It has its position when this returns: what is added from then on is
   * seen, even before the first read.
   *
   * @throws IllegalArgumentException if a topic pattern cannot be understood
   */
  Reader reader(UnaryOperator<ReaderOptions> options);

  /**
   * An instance of the sink {@code name} with default options. A sink that is new begins with the
   * first event added from now on.
   */
  default Sink sink(String name) {
    return sink(name, UnaryOperator.identity());
  }

  /**
   * An instance of the sink {@code name}. The first one fixes where the sink begins; later ones
   * join.
   */
  Sink sink(String name, UnaryOperator<SinkOptions> options);
}
