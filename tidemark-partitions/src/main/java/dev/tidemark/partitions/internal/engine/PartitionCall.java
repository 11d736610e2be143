package dev.tidemark.partitions.internal.engine;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.internal.log.RequestId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request to a partition, with what it waits for. */
abstract sealed class PartitionCall<T> extends Call<T> {
  /** The actor type that the caller means. */
  final String type;

  /** The epoch that the caller believes in. */
  final long epoch;

  final long startNanos;

  private PartitionCall(TimeSource time, String type, long epoch) {
    super(time);
    this.type = type;
    this.epoch = epoch;
    this.startNanos = time.nanos();
  }

  /**
   * The receiver of the outcome, told once all calls that end together have ended; null if a thread
   * waits for it.
   */
  @Nullable Ended told() {
    return null;
  }

  /** A request to the actor, decoded. */
  static sealed class Send extends PartitionCall<byte[]> {
    final Key key;
    final Optional<RequestId> id;
    final Object request;

    Send(
        TimeSource time, String type, long epoch, Key key, Optional<RequestId> id, Object request) {
      super(time, type, epoch);
      this.key = key;
      this.id = id;
      this.request = request;
    }
  }

  /** A request that no thread waits for. */
  static final class Told extends Send {
    private final Ended told;

    Told(
        TimeSource time,
        String type,
        long epoch,
        Key key,
        Optional<RequestId> id,
        Object request,
        Ended told) {
      super(time, type, epoch, key, id, request);
      this.told = told;
    }

    @Override
    void ended() {
      if (outcome() instanceof PartitionException failure) {
        told.failed(failure);
      } else {
        told.answered((byte[]) outcome());
      }
    }

    @Override
    Ended told() {
      return told;
    }
  }

  /** A page of a range. */
  static final class Scan extends PartitionCall<EncodedPage> {
    final PartitionRange range;
    final int limit;
    final Object query;

    Scan(TimeSource time, String type, long epoch, PartitionRange range, int limit, Object query) {
      super(time, type, epoch);
      this.range = range;
      this.limit = limit;
      this.query = query;
    }
  }
}
