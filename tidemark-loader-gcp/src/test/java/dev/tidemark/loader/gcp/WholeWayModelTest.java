package dev.tidemark.loader.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.loader.Batch;
import dev.tidemark.loader.InstantData;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.Loader;
import dev.tidemark.loader.MergeOutcome;
import dev.tidemark.loader.Message;
import dev.tidemark.loader.MessageSource;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.TimeBudget;
import dev.tidemark.loader.Warehouse;
import dev.tidemark.loader.gcp.FakeBigQuery.Fault;
import dev.tidemark.pulse.pool.RetryPolicy;
import dev.tidemark.testkit.junit.SeedSource;
import io.grpc.Status;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Whatever happens between publishers, Pub/Sub, the loader and BigQuery, the table ends as a model
 * says, and every message is acknowledged. Both clients are the real ones. A seed decides what is
 * published, delivered again, refused, lost, and when the loader is killed.
 */
@Timeout(300)
class WholeWayModelTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final int RUNS_MAX = 100;

  @ParameterizedTest
  @SeedSource(count = 12)
  void tableEndsAsTheModelSays(long seed) throws IOException, SQLException {
    try (Trial trial = new Trial(seed)) {
      trial.run();
    }
  }

  /** A loader that dies here neither acknowledges nor gives back anything. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("The loader was killed", null, false, false);
    }
  }

  private record Published(Message message, boolean bad) {}

  private static final class Trial implements AutoCloseable {
    private final long seed;
    private final SplittableRandom random;
    private final SplittableRandom faults;
    private final FakePubSub pubSub = new FakePubSub();
    private final FakeBigQuery bigQuery = new FakeBigQuery();
    private final List<Published> published = new ArrayList<>();

    Trial(long seed) throws IOException, SQLException {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.faults = random.split();
      if (random.nextBoolean()) {
        pubSub.exactlyOnce();
      }
    }

    void run() throws SQLException {
      int messages = 50 + random.nextInt(400);
      int points = 1 + random.nextInt(5);
      int moments = 1 + random.nextInt(30);
      for (int i = 0; i < messages; i++) {
        publish(i, points, moments);
      }
      int runs = 0;
      while (pubSub.backlog() > 0) {
        assertThat(++runs).as("runs of seed " + seed).isLessThan(RUNS_MAX);
        breakSomething();
        once();
      }
      check();
    }

    private void publish(int number, int points, int moments) {
      boolean bad = random.nextInt(20) == 0;
      Map<String, String> attributes =
          Readings.attributes(
              "p" + random.nextInt(points),
              bad ? "１２" : Integer.toString(number),
              Integer.toString(800_000_000 + random.nextInt(moments)));
      // Few different times, so that ties are common.
      Instant at = NOON.plusSeconds(random.nextInt(20));
      String id = "m" + random.nextInt(1_000) + "-" + number;
      pubSub.publish(id, at, attributes);
      published.add(new Published(Message.of(id, at, attributes, new byte[0]), bad));
    }

    /** What goes wrong in the next run. */
    private void breakSomething() {
      for (int i = faults.nextInt(5); i > 0; i--) {
        bigQuery.failInserts(
            switch (faults.nextInt(8)) {
              case 0 -> new Fault.Refuse(503, "backendError");
              case 1 -> new Fault.Refuse(429, "rateLimitExceeded");
              case 2 -> new Fault.LoseAnswer(500);
              case 3 -> new Fault.Disconnect();
              case 4 -> new Fault.DisconnectBefore();
              case 5 -> new Fault.JobFails("jobBackendError", "Try again");
              case 6 -> new Fault.Slow(1 + faults.nextInt(2));
              default -> new Fault.None();
            });
      }
      for (int i = faults.nextInt(4); i > 0; i--) {
        String method =
            switch (faults.nextInt(3)) {
              case 0 -> "pull";
              case 1 -> "acknowledge";
              default -> "modifyAckDeadline";
            };
        pubSub.fail(
            new FakePubSub.Fault(
                method, Status.UNAVAILABLE, !method.equals("pull") && faults.nextBoolean()),
            1);
      }
      for (int i = faults.nextInt(5); i > 0; i--) {
        String id = published.get(faults.nextInt(published.size())).message().id();
        pubSub.failReceipts(
            id,
            faults.nextBoolean()
                ? "PERMANENT_FAILURE_INVALID_ACK_ID"
                : "TRANSIENT_FAILURE_UNORDERED_ACK_ID");
      }
    }

    private void once() {
      LoadResult result;
      boolean crashed;
      try (BigQueryWarehouse warehouse =
              BigQueryWarehouse.open(
                  FakeBigQuery.PROJECT,
                  FakeBigQuery.DATASET,
                  o ->
                      o.withEndpoint(bigQuery.url())
                          .withJobMax(1 + random.nextInt(100), 1_000 + random.nextInt(50_000)));
          PubSubSource source =
              PubSubSource.open(
                  FakePubSub.PROJECT,
                  FakePubSub.SUBSCRIPTION,
                  o -> o.withEmulator(pubSub.address()));
          Mortal mortal = new Mortal(source, warehouse);
          Loader loader =
              Loader.open(
                  mortal,
                  mortal.warehouse(),
                  InstantData.mapping(),
                  warehouse,
                  o ->
                      o.withBatchMax(1 + random.nextInt(200), 1_000 + random.nextInt(100_000))
                          .withPullWait(Duration.ofMillis(250))
                          .withRetries(
                              new RetryPolicy(5, Duration.ofMillis(5), Duration.ofMillis(20)))
                          .withTablePolicy(Table.Policy.CREATE))) {
        result = loader.drain(TimeBudget.of(Duration.ofSeconds(60)));
        crashed = mortal.dead;
      } catch (IllegalStateException notPrepared) {
        // A fault met the creation of the table; the next run tries again.
        return;
      }
      assertThat(result.pulled())
          .as("messages of a run of seed %d: %s", seed, result)
          .isEqualTo(result.merged() + result.ignored() + result.dead() + result.nacked());
      if (crashed) {
        pubSub.expireAll();
      } else if (result.acksLost() == 0) {
        assertThat(pubSub.leased()).as("leases after a run of seed %d", seed).isZero();
      } else {
        // What was not acknowledged for certain comes again when its lease ends.
        pubSub.expireAll();
      }
    }

    private void check() throws SQLException {
      Map<List<Object>, Message> latest = new HashMap<>();
      for (Published each : published) {
        if (!each.bad()) {
          latest.merge(key(each.message()), each.message(), (a, b) -> a.compareTo(b) > 0 ? a : b);
        }
      }
      Map<List<Object>, Object> model = new HashMap<>();
      latest.forEach((key, message) -> model.put(key, message.attributes().get("power")));
      List<List<Object>> rows =
          bigQuery.query(
              "SELECT point_id, epoch(measured_at)::BIGINT - 946652400, power FROM instant_data");
      assertThat(rows).as("rows of seed " + seed).hasSameSizeAs(model.keySet());
      assertThat(rows.stream().collect(Collectors.toMap(row -> row.subList(0, 2), List::getLast)))
          .as("table of seed " + seed)
          .isEqualTo(model);
      assertThat(pubSub.acked())
          .as("acknowledged, seed " + seed)
          .isEqualTo(
              published.stream()
                  .map(each -> each.message().id())
                  .collect(Collectors.toCollection(TreeSet::new)));
      long bad = published.stream().filter(Published::bad).count();
      if (bad > 0) {
        assertThat(bigQuery.query("SELECT count(*) FROM tidemark_dead_letters"))
            .as("dead letters of seed " + seed)
            .containsExactly(List.of(Long.toString(bad)));
      }
    }

    private static List<Object> key(Message message) {
      return List.of(
          String.valueOf(message.attributes().get("point_id")),
          String.valueOf(message.attributes().get("timestamp")));
    }

    @Override
    public void close() throws SQLException {
      pubSub.close();
      bigQuery.close();
    }

    /** A source and a warehouse of a process that may die at a merge; then nobody hears it. */
    private final class Mortal implements MessageSource {
      private final PubSubSource source;
      private final BigQueryWarehouse target;
      private volatile boolean dead;

      Mortal(PubSubSource source, BigQueryWarehouse target) {
        this.source = source;
        this.target = target;
      }

      Warehouse warehouse() {
        return new Warehouse() {
          @Override
          public void prepare(Table table, Table.Policy policy) {
            target.prepare(table, policy);
          }

          @Override
          public MergeOutcome merge(Batch batch) {
            if (faults.nextInt(10) == 0) {
              pubSub.deliverAgain(published.get(faults.nextInt(published.size())).message().id());
            }
            int fate = faults.nextInt(12);
            if (fate == 0) {
              dead = true;
              throw new Crash();
            }
            MergeOutcome outcome = target.merge(batch);
            if (fate == 1) {
              dead = true;
              throw new Crash();
            }
            return outcome;
          }

          @Override
          public MergeOutcome settle(UUID job) {
            return target.settle(job);
          }

          @Override
          public Optional<String> position(String name) {
            return target.position(name);
          }

          @Override
          public void close() {}
        };
      }

      @Override
      public String name() {
        return source.name();
      }

      @Override
      public void begin(Optional<String> position) {
        source.begin(position);
      }

      @Override
      public List<Message> pull(int max, Duration wait) {
        return dead ? List.of() : source.pull(max, wait);
      }

      @Override
      public Acknowledged ack(List<Message> messages) {
        return dead ? new Acknowledged(0, messages.size()) : source.ack(messages);
      }

      @Override
      public void nack(List<Message> messages) {
        if (!dead) {
          source.nack(messages);
        }
      }

      @Override
      public void extend(List<Message> messages) {
        if (!dead) {
          source.extend(messages);
        }
      }

      @Override
      public boolean inOrder() {
        return false;
      }

      @Override
      public Optional<Duration> lease() {
        return source.lease();
      }

      @Override
      public void close() {}
    }
  }
}
