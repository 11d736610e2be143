package dev.tidemark.node.internal.command.records;

import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Json;
import dev.tidemark.node.internal.console.Listing;
import dev.tidemark.node.internal.stores.SpaceArguments;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.maintenance.BuildProgress;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.maintenance.ScrubOptions.Mode;
import dev.tidemark.records.maintenance.ScrubReport;
import dev.tidemark.records.maintenance.Scrubber;
import dev.tidemark.records.schema.IndexSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows, builds and checks the indexes of records. */
@Command(
    name = "index",
    description = "Show, build or check the indexes of records.",
    footer = {
      "%nExamples:",
      "  ./tidemark records index list /var/lib/shop tenants/acme/users",
      "  ./tidemark records index build tidemark://127.0.0.1 tenants/acme/users user_by_city",
      "  ./tidemark records index scrub /var/lib/shop tenants/acme/users --repair"
    })
public final class IndexCommands {
  private static final int WRONG = 1;
  private static final int BAR_WIDTH = 30;
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(1);

  private final Console console;

  /** Prints to {@code console}. */
  public IndexCommands(Console console) {
    this.console = console;
  }

  @Command(
      name = "list",
      description = "Show the indexes with their kinds and states.",
      footer = {
        "%nExamples:",
        "  ./tidemark records index list /var/lib/shop tenants/acme/users",
        "  ./tidemark records index list /var/lib/shop tenants/acme/users --json"
      })
  int list(@Mixin SpaceArguments records, @Mixin Format format) {
    return records.with(
        console,
        space -> {
          Map<String, IndexState> states = states(space);
          Listing listing = new Listing("index", "kind", "state", "type");
          for (IndexSpec index : space.schema().indexes()) {
            listing.add(
                index.name(),
                index.kind(),
                Optional.ofNullable(states.get(index.name())),
                index.type());
          }
          console.show(format, listing);
          return 0;
        });
  }

  private static Map<String, IndexState> states(RecordSpace space) {
    return space.database().read(tx -> space.indexes().states(tx));
  }

  @Command(
      name = "build",
      description = {
        "Build indexes beside readers and writers, with a line of progress now and then.",
        "A build that was interrupted goes on where it stopped."
      },
      footer = {
        "%nExamples:",
        "  ./tidemark records index build /var/lib/shop tenants/acme/users user_by_city",
        "  ./tidemark records index build tidemark://127.0.0.1 tenants/acme/users a_by_b c_by_d"
      })
  int build(
      @Mixin SpaceArguments records,
      @Parameters(index = "2..*", arity = "1..*", paramLabel = "INDEX", description = "Its name.")
          List<String> indexes,
      @Mixin Format format) {
    return records.with(console, space -> build(space, indexes.toArray(String[]::new), format));
  }

  private int build(RecordSpace space, String[] indexes, Format format) {
    Lines lines = new Lines(space, format);
    BuildProgress end;
    try (OnlineIndexer indexer =
        OnlineIndexer.of(space, o -> o.withIndexes(indexes).withListener(lines::show))) {
      end = indexer.build();
    }
    lines.print(end);
    Map<String, IndexState> states = states(space);
    boolean readable = true;
    for (String index : indexes) {
      if (format.json()) {
        console
            .out()
            .print(format.of(new Listing("index", "state").add(index, state(states, index))));
      } else {
        console.out().printf("%s is %s%n", index, states.get(index));
      }
      readable &= states.get(index) == IndexState.READABLE;
    }
    return readable ? 0 : WRONG;
  }

  private static Optional<IndexState> state(Map<String, IndexState> states, String index) {
    return Optional.ofNullable(states.get(index));
  }

  /** Shows a line of progress now and then. */
  private final class Lines {
    private final RecordSpace space;
    private final Format format;
    private long shownNanos;

    Lines(RecordSpace space, Format format) {
      this.space = space;
      this.format = format;
      this.shownNanos = space.database().time().nanos();
    }

    void show(BuildProgress progress) {
      long now = space.database().time().nanos();
      if (now - shownNanos >= BETWEEN_LINES.toNanos() && !progress.complete()) {
        shownNanos = now;
        print(progress);
      }
    }

    /** The bar goes to standard error with JSON, since standard output is for data. */
    void print(BuildProgress progress) {
      (format.json() ? console.err() : console.out()).println(progress.line(BAR_WIDTH));
    }
  }

  @Command(
      name = "scrub",
      description = "Compare indexes with the records, both ways.",
      footer = {
        "%nExit code 1 if something is wrong that was not repaired.",
        "%nExamples:",
        "  ./tidemark records index scrub /var/lib/shop tenants/acme/users",
        "  ./tidemark records index scrub /var/lib/shop tenants/acme/users --repair"
      })
  int scrub(
      @Mixin SpaceArguments records,
      @Option(names = "--repair", description = "Repair what is wrong.") boolean repair,
      @Mixin Format format) {
    return records.with(console, space -> scrub(space, repair ? Mode.REPAIR : Mode.REPORT, format));
  }

  private int scrub(RecordSpace space, Mode mode, Format format) {
    ScrubReport report = Scrubber.of(space, o -> o.withMode(mode)).run();
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("scanned", report.scanned());
    numbers.put("missing", report.missing());
    numbers.put("wrong_values", report.wrongValues());
    numbers.put("dangling", report.dangling());
    numbers.put("stale", report.stale());
    numbers.put("wrong_totals", report.wrongTotals());
    numbers.put("repaired", report.repaired());
    if (format.json()) {
      numbers.put("findings", report.findings().stream().map(Object::toString).toList());
      numbers.put("unchecked", report.unchecked().stream().map(Object::toString).toList());
      console.out().println(Json.of(numbers));
    } else {
      report.findings().forEach(console.out()::println);
      for (ScrubReport.Unchecked each : report.unchecked()) {
        console.out().printf("%s is not checked: %s%n", each.index(), each.reason());
      }
      StringBuilder line = new StringBuilder();
      numbers.forEach((name, number) -> line.append(name).append('=').append(number).append(' '));
      console.out().println(line.toString().strip());
    }
    return report.wrong() == report.repaired() ? 0 : WRONG;
  }
}
