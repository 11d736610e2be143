package dev.tidemark.changes;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The statistics of a started reader as Micrometer meters, all under {@code tidemark.changes.} with
 * the name of the run as a tag. This class needs micrometer-core on the class path; nothing else of
 * this module does.
 */
public final class ChangeMetrics implements MeterBinder {
  private final ChangeReader reader;
  private final Tags tags;

  /** Meters for {@code reader}, tagged with {@code run}. */
  public ChangeMetrics(ChangeReader reader, String run) {
    this.reader = reader;
    this.tags = Tags.of("run", run);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, "records", ReaderStatistics::records);
    counter(registry, "heartbeats", ReaderStatistics::heartbeats);
    counter(registry, "child.records", ReaderStatistics::childRecords);
    counter(registry, "duplicates", ReaderStatistics::duplicates);
    counter(registry, "redeliveries", ReaderStatistics::redeliveries);
    counter(registry, "overdue", ReaderStatistics::overdue);
    counter(registry, "queries", ReaderStatistics::queries);
    counter(registry, "retries", ReaderStatistics::retries);
    counter(registry, "silences", ReaderStatistics::silences);
    counter(registry, "fenced", ReaderStatistics::fenced);
    counter(registry, "gaps", ReaderStatistics::gaps);
    counter(registry, "position.writes", ReaderStatistics::positionWrites);
    gauge(registry, "in.flight", "records", tags, ReaderStatistics::inFlight);
    gauge(registry, "in.flight.size", "bytes", tags, ReaderStatistics::bytesInFlight);
    gauge(registry, "reading", "partitions", tags, ReaderStatistics::reading);
    gauge(registry, "lag", "seconds", tags, s -> seconds(s.lag()));
    gauge(registry, "watermark.read", "seconds", tags, s -> epoch(s.readWatermark()));
    gauge(registry, "watermark.ack", "seconds", tags, s -> epoch(s.ackWatermark()));
    for (PartitionRow.State state : PartitionRow.State.values()) {
      gauge(
          registry,
          "partitions",
          "partitions",
          tags.and("state", state.name().toLowerCase(Locale.ROOT)),
          s -> s.partitions().getOrDefault(state, 0L));
    }
  }

  private static double seconds(Optional<Duration> time) {
    return time.map(each -> each.toNanos() / 1e9).orElse(Double.NaN);
  }

  private static double epoch(Optional<Instant> time) {
    return time.map(each -> (double) each.getEpochSecond()).orElse(Double.NaN);
  }

  private void counter(
      MeterRegistry registry, String name, ToDoubleFunction<ReaderStatistics> value) {
    FunctionCounter.builder(
            "tidemark.changes." + name, reader, each -> value.applyAsDouble(each.statistics()))
        .tags(tags)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String unit,
      Tags with,
      ToDoubleFunction<ReaderStatistics> value) {
    Gauge.builder(
            "tidemark.changes." + name, reader, each -> value.applyAsDouble(each.statistics()))
        .baseUnit(unit)
        .tags(with)
        .register(registry);
  }
}
