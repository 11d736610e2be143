package dev.tidemark.pulse;

import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.pool.PoolStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The statistics of a sink, a node of a pool or a replicated map as Micrometer meters, all under
 * {@code tidemark.pulse.}. This class needs micrometer-core on the class path; nothing else of this
 * module does.
 *
 * <p>A registry has one meter for each name and tag, so each sink, node and map that is bound to it
 * needs a name of its own. It holds what it shows weakly.
 */
public final class PulseMetrics implements MeterBinder {
  private static final String PREFIX = "tidemark.pulse.";

  private final MeterBinder binder;

  private PulseMetrics(MeterBinder binder) {
    this.binder = binder;
  }

  /** Meters for {@code sink}, tagged with {@code name}. */
  public static PulseMetrics of(Sink sink, String name) {
    Tags tags = Tags.of("sink", name);
    return new PulseMetrics(registry -> bind(new Meters<>(registry, sink, tags, Sink::statistics)));
  }

  /** Meters for {@code node}, tagged with {@code name}. */
  public static PulseMetrics of(PoolNode node, String name) {
    Tags tags = Tags.of("pool", name);
    return new PulseMetrics(
        registry -> bindPool(new Meters<>(registry, node, tags, PoolNode::statistics)));
  }

  /** Meters for {@code map}, tagged with {@code name}. */
  public static PulseMetrics of(ReplicatedMap<?, ?> map, String name) {
    Tags tags = Tags.of("map", name);
    return new PulseMetrics(
        registry -> bindMap(new Meters<>(registry, map, tags, ReplicatedMap::statistics)));
  }

  private static void bind(Meters<Sink, SinkStatistics> meters) {
    meters.counter("sink.delivered", SinkStatistics::delivered);
    meters.counter("sink.redelivered", SinkStatistics::redelivered);
    meters.counter("sink.acknowledged", SinkStatistics::acknowledged);
    meters.counter("sink.acknowledgements.failed", SinkStatistics::acknowledgementsFailed);
    meters.counter("sink.handler.failures", SinkStatistics::handlerFailures);
    meters.counter("sink.fetch.failures", SinkStatistics::fetchFailures);
    meters.counter("sink.released", SinkStatistics::released);
    meters.counter("sink.extended", SinkStatistics::extended);
    meters.counter("sink.returned", SinkStatistics::returned);
    meters.counter("sink.losses", SinkStatistics::losses);
    meters.gauge("sink.waiting", "events", SinkStatistics::waiting);
    meters.gauge("sink.running", "events", SinkStatistics::running);
  }

  private static void bindPool(Meters<PoolNode, PoolStatistics> meters) {
    meters.gauge("pool.workers", "workers", PoolStatistics::workers);
    meters.gauge("pool.running", "jobs", PoolStatistics::running);
    meters.gauge("pool.queued", "jobs", PoolStatistics::queued);
    meters.counter("pool.started", PoolStatistics::started);
    meters.counter("pool.finished", PoolStatistics::finished);
    meters.counter("pool.failed", PoolStatistics::failed);
    meters.counter("pool.stopped", PoolStatistics::stopped);
    meters.counter("pool.dispatched", PoolStatistics::dispatched);
    meters.counter("pool.refused", PoolStatistics::refused);
    meters.counter("pool.leases.lost", PoolStatistics::leasesLost);
  }

  private static void bindMap(Meters<ReplicatedMap<?, ?>, MapStatistics> meters) {
    meters.gauge("map.entries", "keys", MapStatistics::entries);
    meters.counter("map.changes", MapStatistics::changes);
    meters.counter("map.loads", MapStatistics::loads);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    binder.bindTo(registry);
  }

  /** Registers meters of {@code source}, each of which is a number of its statistics. */
  private record Meters<T, S>(
      MeterRegistry registry, T source, Tags tags, Function<T, S> statistics) {
    void counter(String name, ToDoubleFunction<S> value) {
      FunctionCounter.builder(PREFIX + name, source, of(value)).tags(tags).register(registry);
    }

    void gauge(String name, String unit, ToDoubleFunction<S> value) {
      Gauge.builder(PREFIX + name, source, of(value)).baseUnit(unit).tags(tags).register(registry);
    }

    private ToDoubleFunction<T> of(ToDoubleFunction<S> value) {
      return each -> value.applyAsDouble(statistics.apply(each));
    }
  }
}
