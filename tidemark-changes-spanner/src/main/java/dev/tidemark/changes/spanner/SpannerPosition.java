package dev.tidemark.changes.spanner;

import com.google.cloud.Timestamp;
import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.Position;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;

/**
 * Positions of Spanner: commit timestamps, in bytes that have their order.
 *
 * <p>Two transactions may share a timestamp, and the sequences of their records overlap. So the
 * sequence tells records at one position apart, by their ids, and is no part of the order.
 */
final class SpannerPosition {
  private static final int BYTES = Long.BYTES + Integer.BYTES;

  private SpannerPosition() {}

  static Position of(Instant time) {
    return Position.of(
        ByteBuffer.allocate(BYTES)
            .putLong(time.getEpochSecond() ^ Long.MIN_VALUE)
            .putInt(time.getNano())
            .array());
  }

  static Instant time(Position position) {
    return find(position)
        .orElseThrow(
            () ->
                new ChangeSourceException(
                    ChangeSourceException.Kind.INVALID_POSITION,
                    "%s is no position of a Spanner change stream; it belongs to another source"
                        .formatted(position),
                    null));
  }

  /** The time of a position, if it is one of Spanner. */
  static Optional<Instant> find(Position position) {
    byte[] bytes = position.toByteArray();
    if (bytes.length != BYTES) {
      return Optional.empty();
    }
    ByteBuffer read = ByteBuffer.wrap(bytes);
    long seconds = read.getLong() ^ Long.MIN_VALUE;
    int nanos = read.getInt();
    boolean valid =
        seconds >= Timestamp.MIN_VALUE.getSeconds()
            && seconds <= Timestamp.MAX_VALUE.getSeconds()
            && nanos >= 0
            && nanos <= 999_999_999;
    return valid ? Optional.of(Instant.ofEpochSecond(seconds, nanos)) : Optional.empty();
  }

  static Timestamp timestamp(Instant time) {
    return Timestamp.ofTimeSecondsAndNanos(time.getEpochSecond(), time.getNano());
  }

  static Instant instant(Timestamp timestamp) {
    return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
  }
}
