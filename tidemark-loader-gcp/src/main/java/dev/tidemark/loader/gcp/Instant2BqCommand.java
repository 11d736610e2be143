package dev.tidemark.loader.gcp;

import dev.tidemark.loader.InstantData;
import dev.tidemark.loader.LoadProgress;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.gcp.internal.Report;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The command: one run of {@link Instant2Bq}, or its statements on the terminal. Options go before
 * the environment. Exit status 0 is success, 1 a failed run, 2 a mistake in what was asked for.
 */
public final class Instant2BqCommand {
  private static final String USAGE =
      """
      usage: load instant2bq [OPTION...]
        --print-ddl                prints table, procedure and dead letters as SQL, and ends
        --create                   creates what is missing in the dataset
        --project ID               PROJECT_ID
        --subscription ID          SUBSCRIPTION_ID
        --dataset ID               DATASET_ID, instant by default
        --table ID                 TABLE_ID, instant_data by default
        --location REGION          BIGQUERY_LOCATION, that of the dataset by default
        --concurrent-messages N    CONCURRENT_MESSAGES, 4096 by default
        --budget SECONDS           TIME_BUDGET_SECONDS, 300 by default
        --json                     prints the statements of --print-ddl as JSON, as a run is always
        --help                     prints this
      PUBSUB_EMULATOR_HOST (host:port) and BIGQUERY_EMULATOR_HOST (a URL) lead to emulators.
      """;

  private static final Map<String, String> VARIABLES =
      Map.of(
          "--project", "PROJECT_ID",
          "--subscription", "SUBSCRIPTION_ID",
          "--dataset", "DATASET_ID",
          "--table", "TABLE_ID",
          "--location", "BIGQUERY_LOCATION",
          "--concurrent-messages", "CONCURRENT_MESSAGES",
          "--budget", "TIME_BUDGET_SECONDS");

  /** How long a signal waits for a command that has been stopped. */
  private static final long END_MAX_SECONDS = 60;

  private final PrintStream out;
  private final PrintStream err;
  private final Map<String, String> environment;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Instant2Bq job;
  private volatile int status;

  Instant2BqCommand(PrintStream out, PrintStream err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = new HashMap<>(environment);
  }

  /** Runs the command and ends the process with its status. */
  public static void main(String... arguments) {
    Instant2BqCommand command = new Instant2BqCommand(System.out, System.err, System.getenv());
    Runtime.getRuntime().addShutdownHook(new Thread(command::stop, "instant2bq-stop"));
    command.status = command.run(arguments);
    System.out.flush();
    command.ended.countDown();
    System.exit(command.status);
  }

  int run(String... arguments) {
    boolean ddl = false;
    boolean json = false;
    for (int i = 0; i < arguments.length; i++) {
      String option = arguments[i];
      String variable = VARIABLES.get(option);
      if (variable != null) {
        if (++i == arguments.length) {
          return mistake(option + " has no value");
        }
        environment.put(variable, arguments[i]);
      } else if (option.equals("--print-ddl")) {
        ddl = true;
      } else if (option.equals("--json")) {
        json = true;
      } else if (option.equals("--create")) {
        environment.put("TABLE_POLICY", "create");
      } else if (option.equals("--help")) {
        out.print(USAGE);
        return 0;
      } else {
        return mistake("'%s' is no option".formatted(option));
      }
    }
    try {
      return ddl ? printDdl(json) : load(Instant2BqSettings.of(environment));
    } catch (IllegalArgumentException mistake) {
      return mistake(String.valueOf(mistake.getMessage()));
    }
  }

  private int printDdl(boolean json) {
    String dataset =
        "%s.%s"
            .formatted(
                environment.getOrDefault("PROJECT_ID", "PROJECT"),
                environment.getOrDefault("DATASET_ID", Instant2BqSettings.DATASET));
    String ddl = Instant2Bq.ddl(dataset, environment.getOrDefault("TABLE_ID", InstantData.TABLE));
    out.print(json ? Report.ofDdl(ddl) + "\n" : ddl);
    return 0;
  }

  private int load(Instant2BqSettings settings) {
    try (Instant2Bq opened = Instant2Bq.open(settings)) {
      job = opened;
      LoadResult result = loaded(opened);
      out.println(Report.of(result, opened.jobs()));
      return result.successful() ? 0 : 1;
    } catch (IllegalArgumentException mistake) {
      throw mistake;
    } catch (RuntimeException failure) {
      out.println(Report.of("failed", String.valueOf(failure.getMessage())));
      return 1;
    }
  }

  /** The launcher says whether a terminal shows what is printed. */
  @SuppressWarnings("try") // progress is shown while it is open, without being named
  private LoadResult loaded(Instant2Bq opened) {
    try (LoadProgress progress =
        LoadProgress.on(
            err,
            Boolean.getBoolean("tidemark.live"),
            () -> LoadProgress.text(opened.statistics()))) {
      return opened.load();
    }
  }

  private int mistake(String message) {
    err.println("instant2bq: " + message);
    err.print(USAGE);
    return 2;
  }

  /** A run that is told to end gives everything back, and prints its report all the same. */
  private void stop() {
    Instant2Bq current = job;
    if (current == null) {
      return;
    }
    current.close();
    try {
      if (ended.await(END_MAX_SECONDS, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(status);
      }
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }
}
