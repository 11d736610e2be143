package dev.tidemark.records;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/**
 * The {@linkplain SpaceActivity activity} of a space as Micrometer meters, all under {@code
 * tidemark.records.} with the name of the space as a tag. This class needs micrometer-core on the
 * class path; nothing else of this module does.
 */
public final class RecordMetrics implements MeterBinder {
  private final RecordSpace space;
  private final Tags tags;

  /** Meters for {@code space}, tagged with {@code name}. */
  public RecordMetrics(RecordSpace space, String name) {
    this.space = space;
    this.tags = Tags.of("space", name);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, "saved", SpaceActivity::saved);
    counter(registry, "deleted", SpaceActivity::deleted);
    counter(registry, "swept", SpaceActivity::swept);
    counter(registry, "loaded", SpaceActivity::loaded);
    counter(registry, "queries", SpaceActivity::queries);
    counter(registry, "plans.cached", SpaceActivity::plansCached);
    counter(registry, "plans.made", SpaceActivity::plansMade);
    counter(registry, "changes.captured", SpaceActivity::changesCaptured);
    counter(registry, "indexed", SpaceActivity::indexed);
  }

  private void counter(MeterRegistry registry, String name, ToDoubleFunction<SpaceActivity> value) {
    FunctionCounter.builder(
            "tidemark.records." + name, space, each -> value.applyAsDouble(each.activity()))
        .tags(tags)
        .register(registry);
  }
}
