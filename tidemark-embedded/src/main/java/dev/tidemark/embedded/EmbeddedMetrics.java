package dev.tidemark.embedded;

import dev.tidemark.kv.TransactionClosedException;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/**
 * The statistics of an embedded database as Micrometer meters, all under {@code tidemark.}. This
 * class needs micrometer-core on the class path; nothing else of this module does.
 */
public final class EmbeddedMetrics implements MeterBinder {
  private final EmbeddedDatabase database;
  private volatile EngineStatistics latest;

  /** Meters for {@code database}. After it is closed they keep their last values. */
  public EmbeddedMetrics(EmbeddedDatabase database) {
    this.database = database;
    this.latest = database.statistics();
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, "tidemark.commits", "Commits", EngineStatistics::commits);
    counter(registry, "tidemark.conflicts", "Commits refused", EngineStatistics::conflicts);
    counter(registry, "tidemark.commit.groups", "Syncs", EngineStatistics::commitGroups);
    gauge(registry, "tidemark.commit.group.mean", "commits", EngineStatistics::meanGroupSize);
    gauge(
        registry, "tidemark.commit.group.p50", "seconds", s -> s.groupTimeMedian().toNanos() / 1e9);
    gauge(registry, "tidemark.commit.group.p99", "seconds", s -> s.groupTime99().toNanos() / 1e9);
    gauge(registry, "tidemark.commit.group.max", "seconds", s -> s.groupTimeMax().toNanos() / 1e9);
    gauge(
        registry, "tidemark.transactions.open", "transactions", EngineStatistics::openTransactions);
    gauge(registry, "tidemark.versions.live", "versions", EngineStatistics::liveVersions);
    gauge(registry, "tidemark.watches", "watches", EngineStatistics::watches);
    gauge(registry, "tidemark.cache", "bytes", EngineStatistics::cacheBytes);
    gauge(registry, "tidemark.write.buffer", "bytes", EngineStatistics::writeBufferBytes);
    gauge(registry, "tidemark.files", "bytes", EngineStatistics::fileBytes);
  }

  /** The statistics, or the last ones that were taken before the database was closed. */
  private EngineStatistics latest() {
    try {
      latest = database.statistics();
    } catch (TransactionClosedException closed) {
      // Registries still read the meters; they keep their last values.
    }
    return latest;
  }

  private void counter(
      MeterRegistry registry,
      String name,
      String description,
      ToDoubleFunction<EngineStatistics> value) {
    FunctionCounter.builder(name, this, metrics -> value.applyAsDouble(metrics.latest()))
        .description(description)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry, String name, String unit, ToDoubleFunction<EngineStatistics> value) {
    Gauge.builder(name, this, metrics -> value.applyAsDouble(metrics.latest()))
        .baseUnit(unit)
        .register(registry);
  }
}
