package dev.tidemark.partitions;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The statistics of a manager, a server or a client as Micrometer meters, all under {@code
 * tidemark.partitions.}. This class needs micrometer-core on the class path; nothing else of this
 * module does.
 */
public final class PartitionMeters implements MeterBinder {
  private static final String PREFIX = "tidemark.partitions.";

  private final MeterBinder binder;

  private PartitionMeters(MeterBinder binder) {
    this.binder = binder;
  }

  /** Meters for {@code manager}, tagged with {@code name}. */
  public static PartitionMeters of(PartitionManager manager, String name) {
    Tags tags = Tags.of("manager", name);
    return new PartitionMeters(
        registry -> {
          Meters<PartitionManager> meters = new Meters<>(registry, manager);
          meters.gauge("leads", tags, each -> each.isLeading() ? 1 : 0);
          meters.gauge("term", tags, each -> each.statistics().term().orElse(0));
          meters.gauge("table.version", tags, each -> each.statistics().routingVersion());
          meters.gauge("table.partitions", tags, each -> each.statistics().partitions());
          meters.gauge("watchers", tags, each -> each.statistics().watchers());
          meters.gauge("operations.running", tags, each -> each.statistics().runningOperations());
          meters.counter(
              "operations", tags.and("state", "done"), each -> each.statistics().operationsDone());
          meters.counter(
              "operations",
              tags.and("state", "failed"),
              each -> each.statistics().operationsFailed());
          meters.counter(
              "operations",
              tags.and("state", "cancelled"),
              each -> each.statistics().operationsCancelled());
        });
  }

  /** Meters for {@code server}, tagged with its node. */
  public static PartitionMeters of(PartitionServer server) {
    Tags tags = Tags.of("node", server.node());
    return new PartitionMeters(
        registry -> {
          Meters<PartitionServer> meters = new Meters<>(registry, server);
          meters.gauge("incarnation", tags, PartitionServer::incarnation);
          meters.counter("requests", tags, each -> each.statistics().requests());
          meters.failures("failures", tags, each -> each.statistics().failures());
          meters.gauge("owned", tags, each -> each.statistics().partitions().size());
          meters.gauge(
              "active",
              tags,
              each ->
                  each.statistics().partitions().stream().filter(PartitionLoad::active).count());
          meters.gauge(
              "queued",
              tags,
              each ->
                  each.statistics().partitions().stream().mapToInt(PartitionLoad::queued).sum());
          meters.gauge(
              "size",
              tags,
              each ->
                  each.statistics().partitions().stream().mapToLong(PartitionLoad::bytes).sum());
        });
  }

  /** Meters for {@code client}, tagged with {@code name}. */
  public static PartitionMeters of(PartitionClient client, String name) {
    Tags tags = Tags.of("client", name);
    return new PartitionMeters(
        registry -> {
          Meters<PartitionClient> meters = new Meters<>(registry, client);
          meters.counter("client.requests", tags, each -> each.statistics().requests());
          meters.failures("client.failures", tags, each -> each.statistics().failures());
          meters.failures("client.repeats", tags, each -> each.statistics().repeats());
          meters.gauge("client.table.version", tags, each -> each.statistics().routingVersion());
        });
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    binder.bindTo(registry);
  }

  private record Meters<T>(MeterRegistry registry, T source) {
    void counter(String name, Tags tags, ToDoubleFunction<T> value) {
      FunctionCounter.builder(PREFIX + name, source, value).tags(tags).register(registry);
    }

    void gauge(String name, Tags tags, ToDoubleFunction<T> value) {
      Gauge.builder(PREFIX + name, source, value).tags(tags).register(registry);
    }

    void failures(String name, Tags tags, Failures<T> counts) {
      for (PartitionException.Reason reason : PartitionException.Reason.values()) {
        counter(
            name,
            tags.and("reason", reason.name().toLowerCase(Locale.ROOT)),
            each -> counts.of(each).getOrDefault(reason, 0L));
      }
    }
  }

  private interface Failures<T> {
    Map<PartitionException.Reason, Long> of(T source);
  }
}
