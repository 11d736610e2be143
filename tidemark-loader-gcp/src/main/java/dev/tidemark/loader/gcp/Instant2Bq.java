package dev.tidemark.loader.gcp;

import dev.tidemark.loader.InstantData;
import dev.tidemark.loader.JobInfo;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.Loader;
import dev.tidemark.loader.LoaderStatistics;
import dev.tidemark.loader.Mapping;
import dev.tidemark.loader.MessageInfo;
import dev.tidemark.loader.SourceException;
import dev.tidemark.loader.TableMismatchException;
import dev.tidemark.loader.TimeBudget;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Measurements of instantaneous power, from Pub/Sub into BigQuery. A run pulls until nothing is
 * left or its time is nearly used, and merges batches through the procedure {@code
 * insert_instant_data}. {@link InstantData} says what a message has to look like; another one is a
 * dead letter.
 */
public final class Instant2Bq implements AutoCloseable {
  private static final String DDL = "insert_instant_data_cloud.sql";
  private static final String PLACE = "PROJECT.DATASET";

  private final PubSubSource source;
  private final BigQueryWarehouse warehouse;
  private final Loader loader;
  private final Instant2BqSettings settings;

  private Instant2Bq(
      PubSubSource source,
      BigQueryWarehouse warehouse,
      Loader loader,
      Instant2BqSettings settings) {
    this.source = source;
    this.warehouse = warehouse;
    this.loader = loader;
    this.settings = settings;
  }

  /**
   * Opens subscription and dataset, and checks the table.
   *
   * @throws TableMismatchException if table or procedure are missing or do not fit
   * @throws SourceException if there are no credentials
   */
  public static Instant2Bq open(Instant2BqSettings settings) {
    Mapping mapping = InstantData.mapping(settings.table());
    BigQueryWarehouse warehouse =
        BigQueryWarehouse.open(
            settings.project(),
            settings.dataset(),
            chosen(
                settings
                    .location()
                    .<UnaryOperator<BigQueryWarehouse.Options>>map(
                        region -> o -> o.withLocation(region)),
                settings
                    .bigQueryEmulator()
                    .<UnaryOperator<BigQueryWarehouse.Options>>map(
                        url -> o -> o.withEndpoint(url))));
    PubSubSource source =
        PubSubSource.open(
            settings.project(),
            settings.subscription(),
            o -> settings.pubSubEmulator().map(o::withEmulator).orElse(o));
    try {
      Loader loader =
          Loader.open(
              source,
              warehouse,
              mapping,
              warehouse,
              o ->
                  o.withBatchMax(settings.concurrentMessages(), BigQueryWarehouse.JOB_BYTES)
                      .withPullWait(settings.idle().dividedBy(o.emptyPulls()))
                      .withTablePolicy(settings.tablePolicy()));
      return new Instant2Bq(source, warehouse, loader, settings);
    } catch (RuntimeException | Error failure) {
      source.close();
      warehouse.close();
      throw failure;
    }
  }

  @SafeVarargs
  private static <T> UnaryOperator<T> chosen(Optional<UnaryOperator<T>>... changes) {
    return options -> {
      T result = options;
      for (Optional<UnaryOperator<T>> change : changes) {
        result = change.isPresent() ? change.get().apply(result) : result;
      }
      return result;
    };
  }

  /**
   * One run within the time budget of the settings.
   *
   * @throws IllegalStateException if a run is under way
   */
  public LoadResult load() {
    return load(settings.budget());
  }

  LoadResult load(TimeBudget budget) {
    return loader.drain(budget);
  }

  /** The deliveries that the run under way is responsible for, each with its UUID. */
  public List<MessageInfo> messages() {
    return loader.messages();
  }

  /** What the run under way, or the last one, gave to BigQuery: the last 200 jobs. */
  public List<JobInfo> jobs() {
    return loader.jobs();
  }

  /** What was done since this was opened. */
  public LoaderStatistics statistics() {
    return loader.statistics();
  }

  /** Ends the run under way, gives back what it holds, and closes the connections. */
  @Override
  public void close() {
    loader.close();
    source.close();
    warehouse.close();
  }

  /**
   * The statements that create table, procedure and the table of dead letters.
   *
   * @param dataset the project and the dataset, with a point between
   * @param table the table, {@link InstantData#TABLE} by default
   */
  public static String ddl(String dataset, String table) {
    String text = resource().replace(PLACE, dataset);
    return table.equals(InstantData.TABLE)
        ? text
        : text.replace(InstantData.TABLE + "`", InstantData.mapping(table).table().name() + "`");
  }

  private static String resource() {
    try (InputStream in = Instant2Bq.class.getResourceAsStream(DDL)) {
      if (in == null) {
        throw new IllegalStateException(DDL + " is missing from the jar of tidemark-loader-gcp");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot read " + DDL, failure);
    }
  }
}
