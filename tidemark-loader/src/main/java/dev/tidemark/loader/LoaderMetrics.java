package dev.tidemark.loader;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The statistics of a loader as Micrometer meters, all under {@code tidemark.loader.}. This class
 * needs micrometer-core on the class path; nothing else of this module does.
 */
public final class LoaderMetrics implements MeterBinder {
  private final Loader loader;
  private final Tags tags;

  /** Meters for {@code loader}, tagged with {@code name}. */
  public LoaderMetrics(Loader loader, String name) {
    this.loader = loader;
    this.tags = Tags.of("loader", name);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, "messages.pulled", LoaderStatistics::pulled);
    counter(registry, "messages.merged", LoaderStatistics::merged);
    counter(registry, "messages.duplicates", LoaderStatistics::duplicates);
    counter(registry, "messages.ignored", LoaderStatistics::ignored);
    counter(registry, "messages.dead", LoaderStatistics::dead);
    counter(registry, "messages.nacked", LoaderStatistics::nacked);
    counter(registry, "messages.nacked.for.time", LoaderStatistics::nackedForTime);
    counter(registry, "acks.lost", LoaderStatistics::acksLost);
    counter(registry, "leases.renewed", LoaderStatistics::extensions);
    counter(registry, "rows", LoaderStatistics::rows);
    counter(registry, "bytes", LoaderStatistics::bytes);
    counter(registry, "merge.retries", LoaderStatistics::retries);
    counter(registry, "merge.halvings", LoaderStatistics::halvings);
    counter(registry, "merge.unknown", LoaderStatistics::unknown);
    counter(registry, "breaker.opened", LoaderStatistics::breakerOpened);
    counter(registry, "pull.failures", LoaderStatistics::pullFailures);
    gauge(registry, "messages.buffered", "messages", LoaderStatistics::buffered);
    gauge(registry, "messages.in.flight", "messages", LoaderStatistics::inFlight);
    gauge(registry, "merge.p50", "seconds", s -> s.mergeTimeMedian().toNanos() / 1e9);
    gauge(registry, "merge.p99", "seconds", s -> s.mergeTime99().toNanos() / 1e9);
    gauge(registry, "merge.max", "seconds", s -> s.mergeTimeMax().toNanos() / 1e9);
    FunctionTimer.builder(
            "tidemark.loader.merge",
            loader,
            l -> l.statistics().batches(),
            l -> l.statistics().mergeTime().toNanos(),
            TimeUnit.NANOSECONDS)
        .tags(tags)
        .register(registry);
  }

  private void counter(
      MeterRegistry registry, String name, ToDoubleFunction<LoaderStatistics> value) {
    FunctionCounter.builder(
            "tidemark.loader." + name, loader, l -> value.applyAsDouble(l.statistics()))
        .tags(tags)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry, String name, String unit, ToDoubleFunction<LoaderStatistics> value) {
    Gauge.builder("tidemark.loader." + name, loader, l -> value.applyAsDouble(l.statistics()))
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
  }
}
