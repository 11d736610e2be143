package dev.tidemark.testkit.cluster;

import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * A clock for an engine that takes its versions from the wall time: its readings are the versions
 * of a young cluster. They begin low, go on by a million a second, and jump at a recovery.
 */
final class ClusterTime implements TimeSource {
  private static final long FIRST_VERSION = 1_000_000_000;
  private static final long RECOVERY_VERSIONS = 100_000_000;

  private final TimeSource time;

  /** By their first versions, how far versions are ahead of microseconds. Guarded by this. */
  private final TreeMap<Long, Long> aheadFrom = new TreeMap<>();

  private volatile int recoveries;

  ClusterTime(TimeSource time) {
    this.time = time;
    aheadFrom.put(FIRST_VERSION, FIRST_VERSION - time.wallMicros());
  }

  /** The time that the cluster's clients live by. */
  TimeSource real() {
    return time;
  }

  int recoveries() {
    return recoveries;
  }

  /** Lets versions jump, as they do when the processes of a cluster are replaced. */
  synchronized void recover() {
    long first = wallMicros() + RECOVERY_VERSIONS;
    aheadFrom.put(first, first - time.wallMicros());
    recoveries++;
  }

  /** The version that is due now. */
  @Override
  public synchronized long wallMicros() {
    return time.wallMicros() + aheadFrom.lastEntry().getValue();
  }

  /** The microseconds since 1970 at which {@code version} was due. */
  synchronized long microsOf(long version) {
    Map.Entry<Long, Long> span = aheadFrom.floorEntry(version);
    span = span == null ? aheadFrom.firstEntry() : span;
    Map.Entry<Long, Long> next = aheadFrom.higherEntry(span.getKey());
    long micros = version - span.getValue();
    return next == null ? micros : Math.min(micros, next.getKey() - next.getValue() - 1);
  }

  /** The last version that was due at {@code micros}. */
  synchronized long versionAt(long micros) {
    for (Map.Entry<Long, Long> span : aheadFrom.descendingMap().entrySet()) {
      if (micros >= span.getKey() - span.getValue()) {
        return micros + span.getValue();
      }
    }
    return micros + aheadFrom.firstEntry().getValue();
  }

  @Override
  public long nanos() {
    return time.nanos();
  }

  @Override
  public double chance() {
    return time.chance();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    time.sleep(duration);
  }
}
