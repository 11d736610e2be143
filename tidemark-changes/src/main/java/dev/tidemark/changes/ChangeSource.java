package dev.tidemark.changes;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A change stream that a {@link ChangeReader} can follow.
 *
 * <p>The stream consists of partitions with opaque tokens. The query of the empty token, {@link
 * #ROOT}, returns the partitions that were alive at its start as child records without parents, and
 * ends. The query of any other token returns changes in the order of their positions, heartbeats
 * while there are none, and child records where the partition ends. A query from the position where
 * a partition ends returns its child records again.
 *
 * <p>Methods may be called from any thread. Failures are {@link ChangeSourceException}s; their kind
 * tells the reader what to do.
 */
public interface ChangeSource {
  /** The token of the query that names the first partitions. */
  String ROOT = "";

  /** Names the stream. A run that was started on another stream is refused by it. */
  String id();

  /**
   * The tokens of the queries that name the first partitions; {@link #ROOT} alone, unless the
   * source joins several streams. A run that is started again begins with those that are new.
   */
  default List<String> roots() {
    return List.of(ROOT);
  }

  /** The root of the stream that {@code token} belongs to; a root belongs to itself. */
  default String rootOf(String token) {
    return ROOT;
  }

  /**
   * Whether this source can read the partition {@code token}. A reader leaves others to processes
   * whose source can.
   */
  default boolean reads(String token) {
    return true;
  }

  /** The earliest position from which nothing is missing. */
  Position earliest();

  /** The present end of the stream: changes committed later are at or after it. */
  Position now();

  /** Where changes committed at {@code time} or later begin. */
  Position at(Instant time);

  /** The last position that belongs to {@code time} or an earlier one. */
  Position until(Instant time);

  /** The time of {@code position}, as well as it is known. For people and for lag. */
  Instant timeOf(Position position);

  /** Orders two positions of this source. */
  int compare(Position first, Position second);

  /**
   * Asks the source to keep changes behind {@code position} for {@code time}, as long as it can. A
   * reader calls it again and again; a source that keeps everything for a fixed time does nothing.
   */
  default void keep(String reader, Position position, Duration time) {}

  /**
   * Starts to read a partition.
   *
   * @throws ChangeSourceException if the query is refused
   */
  Cursor open(Query query);

  /**
   * What to read.
   *
   * @param token the partition, or {@link #ROOT}
   * @param from where to begin; records at this position are included
   * @param until the last position to read, included; empty to read for ever
   * @param heartbeat how often an idle partition gives a sign of life
   */
  record Query(String token, Position from, Optional<Position> until, Duration heartbeat) {}

  /** An open query. One thread reads; any thread may close. */
  interface Cursor extends AutoCloseable {
    /**
     * The next item, or {@link Next.Idle} if none comes within {@code wait}.
     *
     * @throws InterruptedException if the thread is interrupted
     * @throws ChangeSourceException if the query fails
     */
    Next next(Duration wait) throws InterruptedException;

    /**
     * Whether {@link #next} has something to return without waiting and without asking the source
     * again. A reader takes all of that together. False is always right, and slower.
     */
    default boolean isReady() {
      return false;
    }

    /** Cancels the query. Can be called again. */
    @Override
    void close();
  }

  /** What a cursor answers. */
  sealed interface Next {
    /**
     * A record.
     *
     * @param record what was read
     * @param bytes roughly how much memory it takes
     */
    record Item(ChangeRecord record, int bytes) implements Next {}

    /** Nothing came within the time. */
    record Idle() implements Next {}

    /**
     * The query is over.
     *
     * @param end why
     */
    record Ended(End end) implements Next {}
  }

  /** Why a query is over. */
  enum End {
    /** Everything up to the end that the query asked for was returned. */
    REACHED_UNTIL,
    /** The partition is over; its child records were returned by this query. */
    PARTITION_OVER,
    /** The query ended for another reason, such as a lost connection, and can be asked again. */
    BROKEN_OFF
  }
}
