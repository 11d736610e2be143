package dev.tidemark.partitions.internal.metrics;

import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.PartitionMetrics;
import dev.tidemark.partitions.PartitionOperation;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Counts, and passes each event to {@code next}, whose failures are only logged. */
public final class CountedMetrics implements PartitionMetrics {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.partitions");

  private final PartitionMetrics next;
  private final LongAdder requests = new LongAdder();
  private final Map<Reason, LongAdder> failures = adders(Reason.class);
  private final Map<Reason, LongAdder> repeats = adders(Reason.class);
  private final Map<PartitionOperation.State, LongAdder> operations =
      adders(PartitionOperation.State.class);

  public CountedMetrics(PartitionMetrics next) {
    this.next = next;
  }

  private static <K extends Enum<K>> Map<K, LongAdder> adders(Class<K> keys) {
    Map<K, LongAdder> adders = new EnumMap<>(keys);
    for (K key : keys.getEnumConstants()) {
      adders.put(key, new LongAdder());
    }
    return adders;
  }

  private static <K extends Enum<K>> Map<K, Long> sums(Map<K, LongAdder> adders, Class<K> keys) {
    Map<K, Long> sums = new EnumMap<>(keys);
    adders.forEach(
        (key, adder) -> {
          if (adder.sum() > 0) {
            sums.put(key, adder.sum());
          }
        });
    return sums;
  }

  private void tell(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException | Error failure) { // an answer would be lost with it
      LOG.log(Level.WARNING, "The metrics failed; nothing else did", failure);
    }
  }

  @Override
  public void requestEnded(String type, Optional<Reason> failure, Duration took) {
    requests.increment();
    failure.map(failures::get).ifPresent(LongAdder::increment);
    tell(() -> next.requestEnded(type, failure, took));
  }

  @Override
  public void requestRepeated(String type, Reason why) {
    Optional.ofNullable(repeats.get(why)).ifPresent(LongAdder::increment);
    tell(() -> next.requestRepeated(type, why));
  }

  @Override
  public void operationEnded(String kind, PartitionOperation.State state, Duration took) {
    Optional.ofNullable(operations.get(state)).ifPresent(LongAdder::increment);
    tell(() -> next.operationEnded(kind, state, took));
  }

  @Override
  public void leadership(boolean leads, long term) {
    tell(() -> next.leadership(leads, term));
  }

  public long requests() {
    return requests.sum();
  }

  public Map<Reason, Long> failures() {
    return sums(failures, Reason.class);
  }

  public Map<Reason, Long> repeats() {
    return sums(repeats, Reason.class);
  }

  public long operations(PartitionOperation.State state) {
    return sums(operations, PartitionOperation.State.class).getOrDefault(state, 0L);
  }
}
