package dev.tidemark.partitions;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionException.Reason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionMetricsTest {
  /** Writes down what it is told. */
  private static final class Told implements PartitionMetrics {
    final List<String> events = new CopyOnWriteArrayList<>();

    @Override
    public void requestEnded(String type, Optional<Reason> failure, Duration took) {
      events.add(type + " " + failure.map(Reason::name).orElse("answered"));
    }

    @Override
    public void operationEnded(String kind, PartitionOperation.State state, Duration took) {
      events.add(kind + " " + state);
    }

    @Override
    public void leadership(boolean leads, long term) {
      events.add((leads ? "leads " : "led ") + term);
    }
  }

  @Test
  void managerServerAndClientCountAndTellWhatHappens() {
    Told manager = new Told();
    Told server = new Told();
    Told client = new Told();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (Cluster cluster = new Cluster()) {
      PartitionManager leader = cluster.manager("m1", options -> options.withMetrics(manager));
      PartitionServer node =
          cluster.server("a", options -> options.withMetrics(server), CounterActor.TYPE);
      PartitionClient caller = cluster.client(options -> options.withMetrics(client));
      PartitionMeters.of(leader, "m1").bindTo(registry);
      PartitionMeters.of(node).bindTo(registry);
      PartitionMeters.of(caller, "c").bindTo(registry);

      ClusterTest.add(caller, "k");
      assertThatThrownBy(() -> caller.send(CounterActor.TYPE, Key.utf8("k"), "nonsense"))
          .isInstanceOf(PartitionException.class);
      String whole = caller.routing().routes().getFirst().partition();
      cluster.tool().split(whole, Optional.of(Key.utf8("m")), false).orThrow();

      eventually("the split is counted", () -> leader.statistics().operationsDone() == 1);
      assertThat(manager.events).containsExactly("leads 1", "split DONE");
      assertThat(client.events).containsExactly("counter answered", "counter FAILED");
      assertThat(server.events).contains("counter answered", "counter FAILED");
      assertThat(leader.statistics().partitions()).isEqualTo(2);
      assertThat(node.statistics().failures()).containsEntry(Reason.FAILED, 1L);
      assertThat(node.statistics().partitions()).hasSize(2);
      assertThat(caller.statistics().requests()).isEqualTo(2);
      assertThat(count(registry, "operations", "state", "done")).isEqualTo(1);
      assertThat(count(registry, "client.failures", "reason", "failed")).isEqualTo(1);
      assertThat(registry.get("tidemark.partitions.owned").gauge().value()).isEqualTo(2);
      assertThat(registry.get("tidemark.partitions.leads").gauge().value()).isEqualTo(1);
    }
  }

  private static double count(SimpleMeterRegistry registry, String name, String tag, String value) {
    return registry.get("tidemark.partitions." + name).tag(tag, value).functionCounter().count();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void metricsThatFailDisturbNothing(boolean byError) {
    PartitionMetrics broken =
        new PartitionMetrics() {
          @Override
          public void requestEnded(String type, Optional<Reason> failure, Duration took) {
            if (byError) {
              throw new NoClassDefFoundError("broken metrics");
            }
            throw new IllegalStateException("broken metrics");
          }
        };
    try (Cluster cluster = new Cluster()) {
      cluster.manager("m1");
      cluster.server("a", options -> options.withMetrics(broken), CounterActor.TYPE);
      PartitionClient client = cluster.client(options -> options.withMetrics(broken));
      assertThat(ClusterTest.add(client, "k")).isEqualTo(1);
      assertThat(ClusterTest.add(client, "k")).isEqualTo(2);
      assertThat(client.statistics().requests()).isEqualTo(2);
      assertThat(client.statistics().repeats()).isEmpty();
    }
  }
}
