package dev.tidemark.pulse;

import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.OptionChecks;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How a handle of a stream adds events. Immutable; each {@code with} method returns a copy.
 *
 * <p>Handles that add to one stream should agree: the length and the time to live are those of
 * whoever said one and added last.
 */
public final class StreamOptions {
  /** The largest payload that any stream takes. */
  public static final int PAYLOAD_BYTES_LIMIT = 90_000;

  private static final long KEEP_ALL = 0;

  /** How many events a stream keeps for which nobody has said another number. */
  public static final long LENGTH_MAX_AT_FIRST = 1_000;

  /** What applies where nothing else is said. */
  public static final StreamOptions DEFAULTS = new StreamOptions(new Draft());

  private final @Nullable Long lengthMax;
  private final @Nullable Duration timeToLive;
  private final boolean sliding;
  private final int payloadBytesMax;
  private final Duration onceFor;

  private StreamOptions(Draft draft) {
    lengthMax = draft.lengthMax;
    timeToLive = draft.timeToLive;
    sliding = draft.sliding;
    payloadBytesMax = draft.payloadBytesMax;
    onceFor = draft.onceFor;
    if (timeToLive != null) {
      OptionChecks.positive("timeToLive", timeToLive);
    }
    OptionChecks.between("payloadBytesMax", payloadBytesMax, 0, PAYLOAD_BYTES_LIMIT);
    OptionChecks.positive("onceFor", onceFor);
  }

  /**
   * How many events are kept. Default: as many as before, and {@value #LENGTH_MAX_AT_FIRST} for a
   * new stream.
   */
  public OptionalLong lengthMax() {
    return lengthMax == null || lengthMax == KEEP_ALL
        ? OptionalLong.empty()
        : OptionalLong.of(lengthMax);
  }

  /** Whether the stream keeps every event until it is destroyed or its time is over. */
  public boolean keepsAll() {
    return lengthMax != null && lengthMax == KEEP_ALL;
  }

  /** How long the stream lives. Default: for ever. */
  public Optional<Duration> timeToLive() {
    return Optional.ofNullable(timeToLive);
  }

  /** Whether the time to live runs from the latest event instead of the first. Default: no. */
  public boolean sliding() {
    return sliding;
  }

  /**
   * The largest payload. Default 90,000 bytes, which fits a value of the store; more is refused.
   */
  public int payloadBytesMax() {
    return payloadBytesMax;
  }

  /** How long the keys of {@link EventStream#addOnce} are remembered. Default one hour. */
  public Duration onceFor() {
    return onceFor;
  }

  /** These options with a number of events to keep, for all handles from now on. */
  public StreamOptions withLengthMax(long events) {
    if (events <= 0) {
      throw UsageException.invalidOption(
          "lengthMax is %,d; it must be positive. keepingAll() keeps all events".formatted(events));
    }
    Draft draft = new Draft(this);
    draft.lengthMax = events;
    return new StreamOptions(draft);
  }

  /** These options with a stream that keeps all events, for all handles from now on. */
  public StreamOptions keepingAll() {
    Draft draft = new Draft(this);
    draft.lengthMax = KEEP_ALL;
    return new StreamOptions(draft);
  }

  /** These options with a stream that lives for {@code time} from its first event on. */
  public StreamOptions withTimeToLive(Duration time) {
    Draft draft = new Draft(this);
    draft.timeToLive = time;
    draft.sliding = false;
    return new StreamOptions(draft);
  }

  /** These options with a stream that lives for {@code time} from its latest event on. */
  public StreamOptions withSlidingTimeToLive(Duration time) {
    Draft draft = new Draft(this);
    draft.timeToLive = time;
    draft.sliding = true;
    return new StreamOptions(draft);
  }

  /** These options with another largest payload. */
  public StreamOptions withPayloadBytesMax(int bytes) {
    Draft draft = new Draft(this);
    draft.payloadBytesMax = bytes;
    return new StreamOptions(draft);
  }

  /** These options with another memory for the keys of {@link EventStream#addOnce}. */
  public StreamOptions withOnceFor(Duration time) {
    Draft draft = new Draft(this);
    draft.onceFor = time;
    return new StreamOptions(draft);
  }

  /** What a copy is made from. */
  private static final class Draft {
    private @Nullable Long lengthMax;
    private @Nullable Duration timeToLive;
    private boolean sliding;
    private int payloadBytesMax = PAYLOAD_BYTES_LIMIT;
    private Duration onceFor = Duration.ofHours(1);

    Draft() {}

    Draft(StreamOptions from) {
      lengthMax = from.lengthMax;
      timeToLive = from.timeToLive;
      sliding = from.sliding;
      payloadBytesMax = from.payloadBytesMax;
      onceFor = from.onceFor;
    }
  }
}
