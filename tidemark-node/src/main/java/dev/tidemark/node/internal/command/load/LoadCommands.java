package dev.tidemark.node.internal.command.load;

import dev.tidemark.kv.Database;
import dev.tidemark.loader.LoadProgress;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.Loader;
import dev.tidemark.loader.StreamSource;
import dev.tidemark.loader.Table;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Listing;
import dev.tidemark.node.internal.stores.SpaceArguments;
import dev.tidemark.node.internal.stores.StoreArgument;
import dev.tidemark.pulse.Pulse;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Loads streams and records into tables. */
@Command(
    name = "load",
    description = "Load a stream, records or a subscription into a table of a warehouse.",
    footer = {
      "%nExamples:",
      "  ./tidemark load stream /var/lib/shop orders orders.duckdb --keep-all --column id:integer:key",
      "  ./tidemark load table /var/lib/shop shop/orders orders Order orders.duckdb",
      "  ./tidemark load instant2bq --print-ddl"
    })
public final class LoadCommands {
  private final Console console;

  /** Prints to {@code console}. */
  public LoadCommands(Console console) {
    this.console = console;
  }

  @Command(
      name = "stream",
      description = {
        "Load the events of a stream into a table, each once however often it comes.",
        "What cannot become a row goes to the table tidemark_dead_letters, with the reason."
      },
      footer = {
        "%nExamples:",
        "  ./tidemark load stream /var/lib/shop orders orders.duckdb --keep-all \\",
        "    --column id:integer:key --column city:text=address.city",
        "  ./tidemark load stream tidemark://127.0.0.1 readings meters.duckdb --keep-all \\",
        "    --instant-data --follow"
      })
  int stream(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "STREAM", description = "The name of the stream.")
          String stream,
      @Parameters(
              index = "2",
              paramLabel = "WAREHOUSE",
              description = WarehouseArgument.DESCRIPTION)
          String warehouse,
      @Mixin StreamLoadOptions options,
      @Mixin Format format) {
    options.check(stream);
    try (Database database = store.open(console);
        Pulse pulse = options.pulse(database, stream);
        WarehouseArgument.Opened opened = WarehouseArgument.open(warehouse);
        StreamSource source = options.source(pulse, stream);
        Loader loader =
            Loader.open(
                source,
                opened.warehouse(),
                options.mapping(stream),
                opened.letters(),
                o -> o.withTablePolicy(Table.Policy.EVOLVE))) {
      LoadResult result = run(loader, options);
      console.show(format, LoadReport.of(result));
      if (result.dead() > 0) {
        console.complain(
            "Dead letters: %,d. The table tidemark_dead_letters has them, with the reasons."
                .formatted(result.dead()));
      }
      return result.successful() ? 0 : 1;
    }
  }

  @SuppressWarnings("try") // progress is shown while it is open, without being named
  private LoadResult run(Loader loader, StreamLoadOptions options) {
    try (StopAtExit stop = new StopAtExit(loader::close);
        LoadProgress progress =
            LoadProgress.on(
                console.err(), console.terminal(), () -> LoadProgress.text(loader.statistics()))) {
      if (options.follow()) {
        return loader.runForEver();
      }
      return options.budget().map(loader::drain).orElseGet(loader::drain);
    }
  }

  @Command(
      name = "table",
      description = {
        "Bring a table in step with the records of a type, deletions included.",
        "A change stream that keeps whole rows (NEW_ROW) tells what changes. Called again, it goes",
        "on where it ended."
      },
      footer = {
        "%nExamples:",
        "  ./tidemark load table /var/lib/shop shop/orders orders Order orders.duckdb",
        "  ./tidemark load table tidemark://127.0.0.1 shop/orders orders Order orders.duckdb --follow"
      })
  int table(
      @Mixin SpaceArguments records,
      @Parameters(
              index = "2",
              paramLabel = "STREAM",
              description = "The name of the change stream.")
          String stream,
      @Parameters(index = "3", paramLabel = "TYPE", description = "Of the records.") String type,
      @Parameters(
              index = "4",
              paramLabel = "WAREHOUSE",
              description = WarehouseArgument.DESCRIPTION)
          String warehouse,
      @Mixin TableLoad load,
      @Mixin Format format)
      throws InterruptedException {
    try (Database database = records.store().open(console);
        WarehouseArgument.Opened opened = WarehouseArgument.open(warehouse)) {
      long changes = load.run(records.space(database), stream, type, opened.warehouse(), console);
      console.show(format, new Listing("changes").add(changes));
      return 0;
    }
  }
}
