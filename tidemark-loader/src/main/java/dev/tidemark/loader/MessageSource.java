package dev.tidemark.loader;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where messages come from. A delivered message belongs to this loader until it is acknowledged or
 * given back, or its lease ends.
 *
 * <p>There are two kinds. A <em>queue</em> leases each message for a while and delivers it again if
 * nobody acknowledges it. A source <em>in order</em> gives every message a {@link
 * Message#position}, and the warehouse keeps the position together with the rows: the source is
 * told where to begin, and every message has its effect exactly once.
 *
 * <p>The loader calls {@link #pull} from one thread at a time, and the other methods from others
 * meanwhile. Every call returns within a bounded time; one that cannot be made throws {@link
 * SourceException}.
 */
public interface MessageSource extends AutoCloseable {
  /** The name of the source; the warehouse keeps positions and jobs by it. */
  String name();

  /**
   * Begins after {@code position}; if there is none, where the source chooses. Called before the
   * first pull of a run, and again when a source in order has to go back.
   */
  void begin(Optional<String> position);

  /**
   * The next messages, about {@code max} at most: a source that reads in larger portions may bring
   * one of them. Waits for the first no longer than {@code wait}, or a second; empty if none came,
   * which does not prove that there are none.
   */
  List<Message> pull(int max, Duration wait);

  /** Acknowledges messages, which are not delivered again. */
  Acknowledged ack(List<Message> messages);

  /** Gives messages back, to be delivered again soon. */
  void nack(List<Message> messages);

  /** Renews the leases of messages. Leases that have ended already are ignored. */
  void extend(List<Message> messages);

  /**
   * Whether messages come in one order, each with its position. Messages that are given back are
   * then pulled again after {@link #begin}.
   */
  boolean inOrder();

  /** Most messages of one call of {@link #ack}, {@link #nack} or {@link #extend}. */
  default int requestMax() {
    return 1_000;
  }

  /** How long a lease is; empty if messages are not leased. */
  Optional<Duration> lease();

  /** Releases what the source holds. Can be called again. */
  @Override
  void close();

  /**
   * What became of an acknowledgement.
   *
   * @param confirmed how many messages will not be delivered again
   * @param lost how many may be: their lease had ended before
   */
  record Acknowledged(int confirmed, int lost) {}
}
