package dev.tidemark.node.internal.command;

import dev.tidemark.node.internal.console.Console;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Commands that the launcher runs from modules of their own, since what they need is not on the
 * class path here. They are in the table for help and completion.
 */
final class ModuleCommands {
  private ModuleCommands() {}

  static Map<String, Supplier<Object>> all(Console console) {
    return Map.of(
        "bench", () -> new Bench(console),
        "chaos", () -> new Chaos(console),
        "test", () -> new TestCommand(console));
  }

  /** The command {@code load instant2bq}. */
  static Object instant2bq(Console console) {
    return new Instant2Bq(console);
  }

  /** Says where the command is. */
  abstract static class Elsewhere implements Callable<Integer> {
    private final Console console;
    private final String program;

    Elsewhere(Console console, String program) {
      this.console = console;
      this.program = program;
    }

    @Override
    public Integer call() {
      console.complain(program + " runs this command; start it with the launcher, ./tidemark");
      return 2;
    }
  }

  @Command(
      name = "bench",
      description = "Measure a part of the system side by side with others.",
      footer = {
        "%nExamples:",
        "  ./tidemark bench engine --quick",
        "  ./tidemark bench records --profile"
      })
  static final class Bench extends Elsewhere {
    @Parameters(
        paramLabel = "NAME",
        completionCandidates = Subjects.class,
        description = "One of ${COMPLETION-CANDIDATES}.")
    private String name = "";

    @Option(names = "--quick", description = "A smaller run, about a minute.")
    private boolean quick;

    @Option(
        names = "--profile",
        description = "Where the time goes; engine, remote, records, changes and partitions.")
    private boolean profile;

    Bench(Console console) {
      super(console, "tidemark-bench");
    }

    /** What can be measured. */
    static final class Subjects implements Iterable<String> {
      @Override
      public Iterator<String> iterator() {
        return List.of(
                "engine",
                "remote",
                "records",
                "queries",
                "pulse",
                "changes",
                "partitions",
                "loader",
                "growth",
                "demo")
            .iterator();
      }
    }

    @Override
    public String toString() {
      return "bench %s quick=%s profile=%s".formatted(name, quick, profile);
    }
  }

  @Command(
      name = "chaos",
      description = "Kill, fill and tear real processes, and check that nothing is lost.",
      footer = {
        "%nExamples:",
        "  ./tidemark chaos engine --rounds 10",
        "  ./tidemark chaos pulse --redis --seconds 60 --seed 7"
      })
  static final class Chaos extends Elsewhere {
    @Parameters(
        paramLabel = "NAME",
        completionCandidates = Victims.class,
        description = "One of ${COMPLETION-CANDIDATES}.")
    private String name = "";

    @Option(names = "--rounds", paramLabel = "N", description = "How many rounds.")
    private int rounds;

    @Option(names = "--seconds", paramLabel = "N", description = "How long.")
    private int seconds;

    @Option(names = "--seed", paramLabel = "S", description = "Repeats a run.")
    private long seed;

    @Option(names = "--redis", description = "Pulse on Redis.")
    private boolean redis;

    @Option(names = "--etcd", description = "Partitions with their control rows in etcd.")
    private boolean etcd;

    @Option(
        names = "--script",
        paramLabel = "NAME",
        description = "Partitions: manual or threshold, everything at fixed times.")
    private String script = "";

    Chaos(Console console) {
      super(console, "tidemark-chaos");
    }

    /** What can be broken. */
    static final class Victims implements Iterable<String> {
      @Override
      public Iterator<String> iterator() {
        return List.of("engine", "remote", "records", "pulse", "partitions", "changes", "loader")
            .iterator();
      }
    }

    @Override
    public String toString() {
      return "chaos %s %d %d %d %s %s %s"
          .formatted(name, rounds, seconds, seed, redis, etcd, script);
    }
  }

  @Command(
      name = "instant2bq",
      description = {
        "Load measurements of power from Pub/Sub into BigQuery, and print what was done as JSON.",
        "Each setting is an option or a variable of the environment, see docs/loader-gcp.md."
      },
      footer = {
        "%nExamples:",
        "  ./tidemark load instant2bq --project my-project --subscription readings",
        "  ./tidemark load instant2bq --print-ddl --project my-project"
      })
  static final class Instant2Bq extends Elsewhere {
    @Option(names = "--project", paramLabel = "ID", description = "PROJECT_ID.")
    private String project = "";

    @Option(names = "--subscription", paramLabel = "ID", description = "SUBSCRIPTION_ID.")
    private String subscription = "";

    @Option(names = "--dataset", paramLabel = "ID", description = "DATASET_ID; else instant.")
    private String dataset = "";

    @Option(names = "--table", paramLabel = "ID", description = "TABLE_ID; else instant_data.")
    private String table = "";

    @Option(
        names = "--location",
        paramLabel = "REGION",
        description = "BIGQUERY_LOCATION; else that of the dataset.")
    private String location = "";

    @Option(
        names = "--concurrent-messages",
        paramLabel = "N",
        description = "CONCURRENT_MESSAGES; else 4096.")
    private int concurrentMessages;

    @Option(
        names = "--budget",
        paramLabel = "SECONDS",
        description = "TIME_BUDGET_SECONDS; else 300.")
    private int budget;

    @Option(names = "--create", description = "Create what is missing in the dataset.")
    private boolean create;

    @Option(names = "--print-ddl", description = "Only print how all that is created.")
    private boolean printDdl;

    @Option(names = "--json", description = "Print the statements of --print-ddl as JSON too.")
    private boolean json;

    Instant2Bq(Console console) {
      super(console, "tidemark-loader-gcp");
    }

    @Override
    public String toString() {
      return "load instant2bq %s %s %s %s %s %d %d create=%s print=%s json=%s"
          .formatted(
              project,
              subscription,
              dataset,
              table,
              location,
              concurrentMessages,
              budget,
              create,
              printDdl,
              json);
    }
  }

  @Command(
      name = "test",
      description = "Build everything and run every check and test, as CI does.",
      footer = {"%nExamples:", "  ./tidemark test"})
  static final class TestCommand extends Elsewhere {
    TestCommand(Console console) {
      super(console, "Maven");
    }
  }
}
