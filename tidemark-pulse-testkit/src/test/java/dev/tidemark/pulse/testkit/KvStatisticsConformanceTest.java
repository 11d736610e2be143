package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Database;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Sink;
import dev.tidemark.pulse.Start;
import dev.tidemark.pulse.Subscription;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.testkit.junit.DatabaseExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is counted on Tidemark's own store, also of what joins transactions. */
@SuppressWarnings("try") // a subscription works while it is open, without being named
class KvStatisticsConformanceTest extends StatisticsConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }

  @Test
  void sinkCountsWhatItsHandlersCommit() {
    EventStream orders = pulse().stream("orders");
    orders.add("good", bytes(""));
    orders.add("bad", bytes(""));
    try (Sink sink = orders.sink("s", o -> o.withStart(Start.oldest()));
        Subscription handling =
            sink.subscribe(
                (tx, event) -> {
                  if (event.name().equals("bad")) {
                    throw new IllegalStateException("it cannot be booked");
                  }
                })) {
      eventually(
          () -> "one is done, one has failed: " + sink.statistics(),
          () -> sink.statistics().acknowledged() == 1 && sink.statistics().handlerFailures() == 1);
      assertThat(sink.statistics().delivered()).isEqualTo(2);
    }
  }

  @Test
  void transactionsOfTheProgramAreNotCounted() {
    Database database = databases.database();
    EventStream orders = pulse().stream("orders");
    orders.add("e", bytes(""));
    try (Sink sink =
            orders.sink("s", o -> o.withStart(Start.oldest()).withBlock(Duration.ofMillis(80)));
        PoolNode node = node()) {
      List<Event> events = new ArrayList<>();
      eventually("it comes", () -> events.addAll(sink.read()));
      database.run(
          tx -> {
            sink.ackAll(tx, events);
            node.dispatch(tx, "job", bytes(""));
          });

      assertThat(sink.statistics().acknowledged()).isZero();
      assertThat(node.statistics().dispatched()).isZero();
      assertThat(node.jobKeys()).containsExactly("job");
    }
  }

  @Test
  void jobThatEndsInItsTransactionCounts() {
    PoolNode node = node();
    node.addTransactionalRunner(
        (tx, job) -> {
          if (job.key().equals("bad")) {
            throw new IllegalStateException("it cannot be booked");
          }
        },
        1);
    node.dispatch("good", bytes(""));
    node.dispatch("bad", bytes(""));

    eventually(
        () -> "one is done, one has failed: " + node.statistics(),
        () -> node.statistics().finished() == 1 && node.statistics().failed() == 1);
    assertThat(node.statistics().started()).isEqualTo(2);
  }
}
