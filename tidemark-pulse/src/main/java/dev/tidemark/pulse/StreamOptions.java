package dev.tidemark.pulse;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a handle of a stream adds events.
 *
 * @param lengthMax how many events are kept; older ones go. Default 1,000; 0 keeps all
 * @param timeToLive how long the stream lives; null for ever. Default for ever
 * @param sliding whether every added event gives the stream its whole time to live again; otherwise
 *     that runs from the first event. Default no
 * @param payloadBytesMax the largest payload. Default 90,000 bytes, which fits a value of the store
 * @param onceFor how long the keys of {@link EventStream#addOnce} are remembered. Default one hour
 */
public record StreamOptions(
    long lengthMax,
    @Nullable Duration timeToLive,
    boolean sliding,
    int payloadBytesMax,
    Duration onceFor) {
  /** What applies where nothing else is said. */
  public static final StreamOptions DEFAULTS =
      new StreamOptions(1_000, null, false, 90_000, Duration.ofHours(1));
}
