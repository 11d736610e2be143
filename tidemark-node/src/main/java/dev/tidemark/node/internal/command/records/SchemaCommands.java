package dev.tidemark.node.internal.command.records;

import dev.tidemark.kv.Database;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Json;
import dev.tidemark.node.internal.stores.SpaceArguments;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.maintenance.SchemaDiff;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows the schema that a store has, and what another one would change. */
@Command(
    name = "schema",
    description = "Show the schema of records, or what another one would change and cost.",
    footer = {
      "%nExamples:",
      "  ./tidemark records schema show /var/lib/shop shop/clients",
      "  ./tidemark records schema diff /var/lib/shop shop/clients client.schema"
    })
public final class SchemaCommands {
  private static final int WRONG = 1;

  private final Console console;

  /** Prints to {@code console}. */
  public SchemaCommands(Console console) {
    this.console = console;
  }

  @Command(
      name = "show",
      description = "Show the types with their fields, and the indexes.",
      footer = {"%nExamples:", "  ./tidemark records schema show /var/lib/shop shop/clients"})
  int show(@Mixin SpaceArguments records, @Mixin Format format) {
    return records.with(
        console,
        space -> {
          if (format.json()) {
            console.out().println(Json.of(object(space.schema())));
          } else {
            show(space.schema());
          }
          return 0;
        });
  }

  private void show(Schema schema) {
    console.out().printf("version %d%n", schema.version());
    for (RecordType<?> type : schema.types()) {
      console.out().printf("type %s, primary key %s%n", type.name(), type.spec().primaryKey());
      for (FieldSpec field : type.spec().fields()) {
        console
            .out()
            .printf(
                "  %3d %-24s %s%s%n",
                field.number(), field.name(), field.type(), field.nullable() ? "" : ", never null");
      }
    }
    for (IndexSpec index : schema.indexes()) {
      console
          .out()
          .printf(
              "index %-32s %s over %s, since %d%n",
              index.name(), index.kind(), index.type(), index.since());
    }
  }

  private static Object object(Schema schema) {
    return Json.object(
        "version", schema.version(),
        "types", schema.types().stream().map(SchemaCommands::object).toList(),
        "indexes", schema.indexes().stream().map(SchemaCommands::object).toList());
  }

  private static Object object(RecordType<?> type) {
    return Json.object(
        "name", type.name(),
        "primary_key", type.spec().primaryKey(),
        "fields", type.spec().fields().stream().map(SchemaCommands::object).toList());
  }

  private static Object object(FieldSpec field) {
    return Json.object(
        "number", field.number(),
        "name", field.name(),
        "type", field.type().toString(),
        "nullable", field.nullable());
  }

  private static Object object(IndexSpec index) {
    return Json.object(
        "name", index.name(), "kind", index.kind(), "type", index.type(), "since", index.since());
  }

  @Command(
      name = "export",
      description = "Write the schema to a file, for a diff later.",
      footer = {
        "%nExamples:",
        "  ./tidemark records schema export /var/lib/shop shop/clients client.schema"
      })
  int export(
      @Mixin SpaceArguments records,
      @Parameters(index = "2", paramLabel = "FILE", description = "Where to write it.") Path file,
      @Mixin Format format) {
    return records.with(
        console,
        space -> {
          try {
            Files.write(file, space.schema().toBytes());
          } catch (IOException failure) {
            throw new UncheckedIOException("Cannot write the schema to " + file, failure);
          }
          int version = space.schema().version();
          console.say(
              format,
              "schema version %d is in %s".formatted(version, file),
              "export",
              "version",
              version,
              "file",
              file);
          return 0;
        });
  }

  @Command(
      name = "diff",
      description = "Show what another schema would change, and what that would cost.",
      footer = {
        "%nExit code 1 if the store would not open with it.",
        "%nExamples:",
        "  ./tidemark records schema diff /var/lib/shop shop/clients client.schema",
        "  ./tidemark records schema diff /var/lib/shop shop/clients /var/lib/shop shop/others"
      })
  int diff(
      @Mixin SpaceArguments records,
      @Parameters(
              index = "2",
              paramLabel = "FILE|STORE",
              description = "A schema as export or Schema.toBytes writes it, or another STORE.")
          String other,
      @Parameters(
              index = "3",
              arity = "0..1",
              paramLabel = "PATH",
              description = "The directory of the records in the other STORE.")
          Optional<String> otherPath,
      @Mixin Format format) {
    return records.with(
        console,
        space -> {
          Schema wanted =
              otherPath
                  .map(path -> schemaOf(records, space.database(), other, path))
                  .orElseGet(() -> Schema.parse(read(Path.of(other))));
          return diff(space, wanted, format);
        });
  }

  private Schema schemaOf(SpaceArguments records, Database database, String store, String path) {
    if (store.equals(records.store().text())) {
      return SpaceArguments.space(database, path).schema();
    }
    try (Database other = records.store().connection().open(console, store)) {
      return SpaceArguments.space(other, path).schema();
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot read the schema in " + file, failure);
    }
  }

  private int diff(RecordSpace space, Schema wanted, Format format) {
    SchemaDiff diff = SchemaDiff.of(space, wanted);
    if (format.json()) {
      console
          .out()
          .println(
              Json.of(
                  Json.object(
                      "from", diff.from(),
                      "to", diff.to(),
                      "accepted", diff.isAccepted(),
                      "changes", diff.lines())));
      return diff.isAccepted() ? 0 : WRONG;
    }
    console.out().printf("from version %d to version %d%n", diff.from(), diff.to());
    diff.lines().forEach(console.out()::println);
    if (diff.changes().isEmpty()) {
      console.out().println("nothing changes");
    } else if (!diff.isAccepted()) {
      console.out().println("the store would not open with it");
    }
    return diff.isAccepted() ? 0 : WRONG;
  }
}
