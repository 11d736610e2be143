package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testkit.ManualTime;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LoaderMetricsTest {
  @Test
  void metersAgreeWithTheResult() {
    ManualTime time = ManualTime.selfAdvancing();
    QueueModel queue = new QueueModel(time, Duration.ofMinutes(1));
    for (int i = 0; i < 100; i++) {
      queue.publish("m" + i, Instant.EPOCH, "key", "k" + i % 90, "value", i == 7 ? "bad" : "v");
    }
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Loader loader =
        Loader.open(
            queue,
            new MemoryWarehouse(),
            new KeyValueMapping(),
            letters -> {},
            o -> o.withTime(time))) {
      new LoaderMetrics(loader, "test").bindTo(registry);
      LoadResult result = loader.drain();

      assertThat(counter(registry, "messages.pulled")).isEqualTo(result.pulled()).isEqualTo(100);
      assertThat(counter(registry, "messages.merged")).isEqualTo(result.merged()).isEqualTo(99);
      assertThat(counter(registry, "messages.duplicates")).isEqualTo(result.duplicates());
      assertThat(counter(registry, "messages.dead")).isEqualTo(1);
      assertThat(counter(registry, "messages.nacked.for.time")).isZero();
      assertThat((long) registry.get("tidemark.loader.merge").functionTimer().count())
          .isEqualTo(result.batches());
    }
  }

  private static long counter(SimpleMeterRegistry registry, String name) {
    return (long)
        registry.get("tidemark.loader." + name).tag("loader", "test").functionCounter().count();
  }
}
