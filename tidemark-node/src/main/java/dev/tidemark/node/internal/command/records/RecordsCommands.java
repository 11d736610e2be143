package dev.tidemark.node.internal.command.records;

import dev.tidemark.kv.Database;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Json;
import dev.tidemark.node.internal.console.Listing;
import dev.tidemark.node.internal.stores.DirectoryTree;
import dev.tidemark.node.internal.stores.SpaceArguments;
import dev.tidemark.node.internal.stores.StoreArgument;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.StatisticsReport;
import dev.tidemark.records.query.SqlQuery;
import dev.tidemark.records.schema.RecordType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks at records whose program is not at hand. */
@Command(
    name = "records",
    description = "Find, describe and query records; look after their indexes and schema.",
    footer = {
      "%nExamples:",
      "  ./tidemark records list /var/lib/shop",
      "  ./tidemark records query /var/lib/shop shop/orders 'SELECT COUNT(*) FROM Order'"
    })
public final class RecordsCommands {
  private static final String SQL = "One argument, such as 'SELECT city, COUNT(*) FROM User'.";

  private final Console console;

  /** Prints to {@code console}. */
  public RecordsCommands(Console console) {
    this.console = console;
  }

  @Command(
      name = "list",
      description = "Show the record stores of a store, wherever they are.",
      footer = {
        "%nExamples:",
        "  ./tidemark records list /var/lib/shop",
        "  ./tidemark records list tidemark://127.0.0.1 tenants/acme --json"
      })
  int list(
      @Mixin StoreArgument store,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "PATH",
              description = "Only those below this directory.")
          Optional<String> path,
      @Mixin Format format) {
    try (Database database = store.open(console)) {
      Listing listing = new Listing("path", "version", "types", "indexes");
      for (DirectoryTree.Node node : DirectoryTree.below(database, path)) {
        node.records()
            .ifPresent(
                schema ->
                    listing.add(
                        node.path(),
                        schema.version(),
                        schema.types().stream().map(RecordType::name).toList(),
                        schema.indexes().size()));
      }
      console.show(format, listing);
      return 0;
    }
  }

  @Command(
      name = "describe",
      description =
          "Show the types of a record store with their fields, and its indexes with state.",
      footer = {"%nExamples:", "  ./tidemark records describe /var/lib/shop shop/orders"})
  int describe(@Mixin SpaceArguments records, @Mixin Format format) {
    return records.with(
        console,
        space -> {
          console.show(format, described(space));
          return 0;
        });
  }

  private static Listing described(RecordSpace space) {
    Listing listing = new Listing("what", "of", "name", "type", "note");
    for (RecordType<?> type : space.schema().types()) {
      type.spec()
          .fields()
          .forEach(
              field ->
                  listing.add(
                      "field",
                      type.name(),
                      field.name(),
                      field.type(),
                      type.spec().primaryKey().contains(field.number())
                          ? "primary key"
                          : field.nullable() ? "may be null" : ""));
    }
    Map<String, IndexState> states = space.database().read(tx -> space.indexes().states(tx));
    space
        .schema()
        .indexes()
        .forEach(
            index ->
                listing.add(
                    "index",
                    index.type(),
                    index.name(),
                    index.kind(),
                    Optional.ofNullable(states.get(index.name()))));
    return listing;
  }

  @Command(
      name = "query",
      description = "Ask for records in SQL; docs/queries.md has the grammar.",
      footer = {
        "%nExamples:",
        "  ./tidemark records query /var/lib/shop shop/orders 'SELECT COUNT(*) FROM Order'",
        "  ./tidemark records query /var/lib/shop shop/orders 'SELECT * FROM Order LIMIT 5' --json"
      })
  int query(
      @Mixin SpaceArguments records,
      @Parameters(index = "2", paramLabel = "SQL", description = SQL) String sql,
      @Mixin Format format) {
    return records.with(console, space -> ask(space, sql, format));
  }

  @Command(
      name = "explain",
      description = "Show how a query would be answered, and which plans were rejected.",
      footer = {
        "%nExamples:",
        "  ./tidemark records explain /var/lib/shop shop/orders 'SELECT * FROM Order WHERE id = 7'"
      })
  int explain(
      @Mixin SpaceArguments records,
      @Parameters(index = "2", paramLabel = "SQL", description = SQL) String sql,
      @Mixin Format format) {
    return records.with(console, space -> ask(space, "EXPLAIN " + sql, format));
  }

  private int ask(RecordSpace space, String sql, Format format) {
    SqlQuery query = space.sql(sql);
    if (format.json()) {
      try (Stream<List<@Nullable Object>> rows = query.autoContinue()) {
        rows.forEach(
            (List<@Nullable Object> row) -> console.line(Json.of(object(query.columns(), row))));
      }
    } else {
      query.print(console.out()::println);
    }
    return 0;
  }

  private static Map<String, @Nullable Object> object(
      List<String> columns, List<@Nullable Object> row) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      object.put(columns.get(i), Json.plain(row.get(i)));
    }
    return object;
  }

  /** What to do before statistics are shown. */
  static final class Collecting {
    @Option(names = "--collect", description = "Collect all statistics first.")
    private boolean all;

    @Option(names = "--refresh", description = "Collect those first that are missing or stale.")
    private boolean stale;
  }

  @Command(
      name = "statistics",
      description = "Show or collect what queries on the records are planned by.",
      footer = {
        "%nExamples:",
        "  ./tidemark records statistics /var/lib/shop shop/orders",
        "  ./tidemark records statistics /var/lib/shop shop/orders --collect"
      })
  int statistics(
      @Mixin SpaceArguments records,
      @ArgGroup @Nullable Collecting collecting,
      @Mixin Format format) {
    return records.with(
        console,
        space -> {
          if (collecting != null && collecting.all) {
            space.statistics().collect();
          } else if (collecting != null && collecting.stale) {
            space.statistics().refreshIfStale();
          }
          show(space.database().read(space.statistics()::show), format);
          return 0;
        });
  }

  private void show(StatisticsReport report, Format format) {
    if (format.json()) {
      report.parts().forEach(part -> console.out().println(Json.of(StatisticsText.object(part))));
      return;
    }
    if (report.parts().isEmpty()) {
      console.out().println("No statistics have been collected; --collect does it.");
    }
    report.parts().forEach(part -> StatisticsText.lines(part).forEach(console.out()::println));
  }
}
