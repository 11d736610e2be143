package dev.tidemark.chaos.loader;

import dev.tidemark.chaos.pulse.PulseAccess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Parent;
import dev.tidemark.loader.Batch;
import dev.tidemark.loader.InstantData;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.Loader;
import dev.tidemark.loader.MergeOutcome;
import dev.tidemark.loader.PostgresWarehouse;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.StreamSource;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.Warehouse;
import dev.tidemark.pulse.pool.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;

/** A process with a loader whose merges fail now and then, until it is killed. */
final class LoaderMember {
  private LoaderMember() {}

  /** Loads from the store at the first argument into the warehouse at the second. */
  public static void main(String[] args) {
    Parent parent = Parent.watch(line -> {});
    PGSimpleDataSource connections = new PGSimpleDataSource();
    connections.setUrl(args[1]);
    try (PulseAccess access = PulseAccess.open(args[0]);
        PostgresWarehouse tables = PostgresWarehouse.of(connections);
        StreamSource source =
            StreamSource.open(
                access.pulse().stream(LoaderRound.STREAM, o -> o.keepingAll()),
                "warehouse",
                o ->
                    o.withAttributes(StreamSource.jsonAttributes())
                        .withLease(Duration.ofSeconds(3)));
        Loader loader =
            Loader.open(
                source,
                new Unreliable(tables, new SplittableRandom(Long.parseLong(args[2]))),
                InstantData.mapping(),
                tables,
                o ->
                    o.withBatchMax(300, 900_000)
                        .withBatchAge(Duration.ofMillis(50))
                        .withRetries(
                            new RetryPolicy(3, Duration.ofMillis(10), Duration.ofMillis(100)))
                        .withBreaker(3, Duration.ofMillis(200)))) {
      parent.tell(new Message.Opened());
      LoadResult result = loader.runForEver();
      throw new IllegalStateException("The loader ended: " + result);
    }
  }

  /** Some merges are not made, and of some nobody learns that they were. */
  private record Unreliable(Warehouse warehouse, SplittableRandom random) implements Warehouse {
    private static final int FAILURES_IN = 8;

    @Override
    public void prepare(Table table, Table.Policy policy) {
      warehouse.prepare(table, policy);
    }

    @Override
    public MergeOutcome merge(Batch batch) {
      return switch (random.nextInt(FAILURES_IN)) {
        case 0 -> new MergeOutcome.Unavailable("injected");
        case 1 -> throw new IllegalStateException("injected before the merge");
        case 2 -> {
          MergeOutcome outcome = warehouse.merge(batch);
          throw new IllegalStateException("injected after " + outcome);
        }
        default -> warehouse.merge(batch);
      };
    }

    @Override
    public void expect(Table table, List<Row> rows) {
      warehouse.expect(table, rows);
    }

    @Override
    public MergeOutcome settle(UUID job) {
      return random.nextInt(FAILURES_IN) == 0
          ? new MergeOutcome.Unknown("injected")
          : warehouse.settle(job);
    }

    @Override
    public Optional<String> position(String source) {
      return warehouse.position(source);
    }

    @Override
    public void close() {
      warehouse.close();
    }
  }
}
