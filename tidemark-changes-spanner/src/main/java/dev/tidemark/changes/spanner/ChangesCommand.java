package dev.tidemark.changes.spanner;

import dev.tidemark.changes.ChangeFields;
import dev.tidemark.changes.ChangeIterator;
import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.ChangeSource.Next;
import dev.tidemark.changes.Delivery;
import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.Lineage;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.OrderMode;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UsageException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * The command {@code changes} for a stream of Cloud Spanner: its changes, its partitions, and which
 * of them was split or merged into which. Exit status 0 is success, 1 a failure, 2 a mistake in
 * what was asked for.
 */
public final class ChangesCommand {
  private static final String USAGE =
      """
      usage: changes tail|partitions|lineage DATABASE STREAM [OPTION...]
        DATABASE             projects/PROJECT/instances/INSTANCE/databases/NAME
        --from WHERE         beginning, now, a time or a position; partitions begins with now
        --until WHEN         now or a time; tail goes on for ever, lineage ends now by default
        --limit N            tail ends after so many changes
        --run NAME           lineage shows how far this run is, from the tables of its readers
        --table NAME         the table of the readers, TidemarkChanges by default
        --metadata DATABASE  the database of that table, the stream's by default
        --role NAME          reads the stream in this database role
        --emulator HOST:PORT reads from an emulator, as SPANNER_EMULATOR_HOST does
        --json               prints one object a line
        --help               prints this
      """;

  private static final Logger CLIENT_LOG = Logger.getLogger("com.google.cloud");
  private static final Logger CONNECTION_LOG = Logger.getLogger("io.grpc");
  private static final Duration HEARTBEAT = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int PARTITIONS_MAX = 1_000;

  private final PrintStream out;
  private final PrintStream err;
  private final Map<String, String> environment;

  ChangesCommand(PrintStream out, PrintStream err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = Map.copyOf(environment);
  }

  /** Runs the command and ends the process with its status. */
  public static void main(String... arguments) {
    // Google's client tells its options whenever it is opened, and each of its many connections
    // that
    // cannot be made a stack. What matters of that is in the message of this command.
    CLIENT_LOG.setLevel(Level.WARNING);
    CONNECTION_LOG.setLevel(Level.SEVERE);
    int status = new ChangesCommand(System.out, System.err, System.getenv()).run(arguments);
    System.out.flush();
    System.exit(status);
  }

  int run(String... arguments) {
    if (List.of(arguments).contains("--help")) {
      out.print(USAGE);
      return 0;
    }
    ChangesArguments call;
    SpannerChangesOptions connection;
    try {
      call = ChangesArguments.parse(List.of(arguments), environment);
      connection = call.connection().withPartitions(PARTITIONS_MAX);
    } catch (IllegalArgumentException | UsageException mistake) {
      err.println("changes: " + mistake.getMessage());
      err.print(USAGE);
      return 2;
    }
    try (SpannerChanges changes = SpannerChanges.open(connection)) {
      switch (call.command()) {
        case TAIL -> tail(changes.source(), call);
        case PARTITIONS -> partitions(changes.source(), call);
        case LINEAGE -> lineage(changes, call);
      }
      return 0;
    } catch (RuntimeException failure) {
      err.println("changes: " + failure.getMessage());
      return 1;
    }
  }

  private void tail(ChangeSource source, ChangesArguments call) {
    ReaderOptions options = options(source, call).withOrder(OrderMode.COMMIT_TIMESTAMP);
    MetadataStore memory = MetadataStore.inMemory(TimeSource.system());
    try (ChangeReader reader = ChangeReader.of(source, memory, options)) {
      ChangeIterator changes = reader.iterate();
      for (long i = 0; i < call.limit() && changes.hasNext(); i++) {
        print(changes.next(), call.json());
      }
    }
  }

  private static ReaderOptions options(ChangeSource source, ChangesArguments call) {
    ReaderOptions options =
        ReaderOptions.forRun("command").withStart(call.from()).withHeartbeat(HEARTBEAT);
    return call.until(source).map(options::withEnd).orElse(options);
  }

  private void print(Delivery delivery, boolean json) {
    if (json) {
      line(JsonValues.text(ChangeFields.of(delivery.token(), delivery.change())));
    } else {
      ChangeFields.lines(delivery.change(), JsonValues::text).forEach(this::line);
    }
  }

  /** Ends a command whose output nobody reads any more. */
  private void line(String text) {
    out.println(text);
    if (out.checkError()) {
      throw new IllegalStateException("The output was closed");
    }
  }

  /** The partitions that were alive at the start, as the query of the root names them. */
  private void partitions(ChangeSource source, ChangesArguments call) {
    Position at = call.from().in(source);
    ChangeSource.Query query =
        new ChangeSource.Query(ChangeSource.ROOT, at, Optional.of(at), HEARTBEAT);
    List<Map<String, Object>> rows = new ArrayList<>();
    try (ChangeSource.Cursor cursor = source.open(query)) {
      long deadline = TimeSource.system().nanos() + PATIENCE.toNanos();
      Next next = cursor.next(PATIENCE);
      while (!(next instanceof Next.Ended)) {
        if (next instanceof Next.Item item
            && item.record() instanceof ChangeRecord.ChildPartitions children) {
          children.children().forEach(child -> rows.add(partition(child.token(), children)));
        }
        if (TimeSource.system().nanos() - deadline >= 0) {
          throw new IllegalStateException(
              "Spanner did not name the first partitions within " + PATIENCE);
        }
        next = cursor.next(PATIENCE);
      }
    } catch (InterruptedException interrupt) {
      throw interrupted(interrupt);
    }
    show(rows, call.json());
  }

  private static Map<String, Object> partition(
      String token, ChangeRecord.ChildPartitions children) {
    return row("start", children.timestamp(), "token", token);
  }

  private void lineage(SpannerChanges changes, ChangesArguments call) {
    ChangeSource source = changes.source();
    Optional<String> run = call.run();
    Lineage lineage =
        run.isPresent()
            ? stored(changes.metadata(), run.get())
            : read(source, options(source, call));
    List<Map<String, Object>> rows = new ArrayList<>();
    for (PartitionRow row : lineage.partitions()) {
      if (!row.token().equals(ChangeSource.ROOT)) {
        rows.add(lineageRow(source, lineage, row, run.isPresent()));
      }
    }
    show(rows, call.json());
  }

  private static Map<String, Object> lineageRow(
      ChangeSource source, Lineage lineage, PartitionRow row, boolean ofRun) {
    List<String> children =
        lineage.childrenOf(row.token()).stream().map(PartitionRow::token).toList();
    Object start = source.timeOf(row.start());
    return ofRun
        ? row(
            "state",
            row.state(),
            "start",
            start,
            "resume",
            source.timeOf(row.resume().position()),
            "owner",
            row.owner().orElse(""),
            "epoch",
            row.epoch(),
            "token",
            row.token(),
            "parents",
            row.parents(),
            "children",
            children)
        : row(
            "state",
            children.isEmpty() ? "ACTIVE" : "ENDED",
            "start",
            start,
            "token",
            row.token(),
            "parents",
            row.parents(),
            "children",
            children);
  }

  private static Lineage stored(MetadataStore metadata, String run) {
    Lineage lineage = Lineage.of(metadata, run);
    if (lineage.run().isEmpty()) {
      throw new IllegalArgumentException(
          "There is no run %s in the tables of the readers; readers name it by ReaderOptions.forRun"
              .formatted(run));
    }
    return lineage;
  }

  /** Follows all partitions of the range, without a look at their changes. */
  private static Lineage read(ChangeSource source, ReaderOptions options) {
    MetadataStore memory = MetadataStore.inMemory(TimeSource.system());
    try (ChangeReader reader =
        ChangeReader.of(source, memory, options.withOrder(OrderMode.UNORDERED))) {
      reader.startBatches(batch -> {});
      if (reader.await() instanceof EndReason.Failed failed) {
        throw new IllegalStateException(failed.cause().getMessage(), failed.cause());
      }
      return reader.lineage();
    } catch (InterruptedException interrupt) {
      throw interrupted(interrupt);
    }
  }

  private static InterruptedOperationException interrupted(InterruptedException interrupt) {
    Thread.currentThread().interrupt();
    return new InterruptedOperationException(
        "Interrupted while the partitions were read", interrupt);
  }

  /** Names and values, in turn, in their order. */
  private static Map<String, Object> row(Object... namesAndValues) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      row.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return row;
  }

  /** A line for each row. Tokens are long, so columns that have them come last. */
  private void show(List<Map<String, Object>> rows, boolean json) {
    if (!json && !rows.isEmpty()) {
      line(String.join("  ", rows.getFirst().keySet()).toUpperCase(Locale.ROOT));
    }
    rows.forEach(
        row ->
            line(
                json
                    ? JsonValues.text(row)
                    : row.values().stream()
                        .map(value -> value.equals("") ? "-" : value.toString())
                        .collect(Collectors.joining("  "))));
  }
}
