package dev.tidemark.pulse;

import dev.tidemark.pulse.internal.common.OptionChecks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a handle of a stream adds events. Handles that add to one stream should agree: the length and
 * the time to live are those of whoever said one and added last.
 *
 * @param lengthMax how many events are kept; older ones go. 0 keeps all. Null, the default, leaves
 *     that as it is; a stream that begins so keeps {@value #LENGTH_MAX_AT_FIRST}
 * @param timeToLive how long the stream lives; null for ever. Default for ever
 * @param sliding whether every added event gives the stream its whole time to live again; otherwise
 *     that runs from the first event. Default no
 * @param payloadBytesMax the largest payload. Default 90,000 bytes, which fits a value of the
 *     store; more is refused
 * @param onceFor how long the keys of {@link EventStream#addOnce} are remembered. Default one hour
 */
public record StreamOptions(
    @Nullable Long lengthMax,
    @Nullable Duration timeToLive,
    boolean sliding,
    int payloadBytesMax,
    Duration onceFor) {
  /** The largest payload that any stream takes. */
  public static final int PAYLOAD_BYTES_LIMIT = 90_000;

  /** How many events a stream keeps for which nobody has said another number. */
  public static final long LENGTH_MAX_AT_FIRST = 1_000;

  /** What applies where nothing else is said. */
  public static final StreamOptions DEFAULTS =
      new StreamOptions(null, null, false, PAYLOAD_BYTES_LIMIT, Duration.ofHours(1));

  /** Refuses values that make no sense. */
  public StreamOptions {
    if (lengthMax != null && lengthMax < 0) {
      throw new IllegalArgumentException(
          "lengthMax is %,d; it must be positive, or 0 to keep all events".formatted(lengthMax));
    }
    if (sliding && timeToLive == null) {
      throw new IllegalArgumentException(
          "sliding is true and timeToLive is null; set a timeToLive, or leave sliding out");
    }
    if (timeToLive != null) {
      OptionChecks.positive("timeToLive", timeToLive);
    }
    if (payloadBytesMax < 0 || payloadBytesMax > PAYLOAD_BYTES_LIMIT) {
      throw new IllegalArgumentException(
          "payloadBytesMax is %,d; it must be between 0 and %,d"
              .formatted(payloadBytesMax, PAYLOAD_BYTES_LIMIT));
    }
    OptionChecks.positive("onceFor", onceFor);
  }

  /** These options with a number of events to keep, for all handles from now on; 0 keeps all. */
  public StreamOptions withLengthMax(long events) {
    return new StreamOptions(events, timeToLive, sliding, payloadBytesMax, onceFor);
  }

  /** These options with a stream that lives for {@code time} from its first event on. */
  public StreamOptions withTimeToLive(Duration time) {
    return new StreamOptions(lengthMax, time, false, payloadBytesMax, onceFor);
  }

  /** These options with a stream that lives for {@code time} from its latest event on. */
  public StreamOptions withSlidingTimeToLive(Duration time) {
    return new StreamOptions(lengthMax, time, true, payloadBytesMax, onceFor);
  }

  /** These options with another largest payload. */
  public StreamOptions withPayloadBytesMax(int bytes) {
    return new StreamOptions(lengthMax, timeToLive, sliding, bytes, onceFor);
  }

  /** These options with another memory for the keys of {@link EventStream#addOnce}. */
  public StreamOptions withOnceFor(Duration time) {
    return new StreamOptions(lengthMax, timeToLive, sliding, payloadBytesMax, time);
  }
}
