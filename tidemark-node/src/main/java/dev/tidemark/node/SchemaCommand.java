package dev.tidemark.node;

import dev.tidemark.kv.Database;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.maintenance.SchemaDiff;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The command {@code schema}: shows the schema that a store has, and what another one would change.
 */
final class SchemaCommand {
  static final String USAGE =
      """
      Usage: tidemark schema show STORE PATH
             tidemark schema export STORE PATH FILE
             tidemark schema diff STORE PATH FILE
             tidemark schema diff STORE PATH OTHER-STORE OTHER-PATH
        FILE   a schema as export or Schema.toBytes writes it
      """
          + StoreAndPath.USAGE;

  private final PrintStream out;
  private final PrintStream err;

  SchemaCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs what stands behind {@code schema}, and answers the exit code. */
  int run(String[] args) {
    return StoreAndPath.with(err, USAGE, args, this::run);
  }

  private int run(StoreAndPath stores) {
    String[] args = stores.args();
    boolean known =
        args.length >= 3
            && switch (args[0]) {
              case "show" -> args.length == 3;
              case "export" -> args.length == 4;
              case "diff" -> args.length == 4 || args.length == 5;
              default -> false;
            };
    if (!known) {
      return stores.showUsage();
    }
    return stores.run(args[1], args[2], space -> run(stores, space));
  }

  private int run(StoreAndPath stores, RecordSpace space) {
    String[] args = stores.args();
    return switch (args[0]) {
      case "show" -> show(space.schema());
      case "export" -> export(space.schema(), Path.of(args[3]));
      default -> diff(space, other(stores, space.database()));
    };
  }

  private static Schema other(StoreAndPath stores, Database database) {
    String[] args = stores.args();
    if (args.length == 4) {
      return Schema.parse(read(Path.of(args[3])));
    }
    if (args[3].equals(args[1])) {
      return StoreAndPath.space(database, args[4]).schema();
    }
    try (Database other = stores.database(args[3])) {
      return StoreAndPath.space(other, args[4]).schema();
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot read the schema in " + file, failure);
    }
  }

  private int export(Schema schema, Path file) {
    try {
      Files.write(file, schema.toBytes());
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot write the schema to " + file, failure);
    }
    out.printf("schema version %d is in %s%n", schema.version(), file);
    return 0;
  }

  private int show(Schema schema) {
    out.printf("version %d%n", schema.version());
    for (RecordType<?> type : schema.types()) {
      out.printf("type %s, primary key %s%n", type.name(), type.spec().primaryKey());
      for (FieldSpec field : type.spec().fields()) {
        out.printf(
            "  %3d %-24s %s%s%n",
            field.number(), field.name(), field.type(), field.nullable() ? "" : ", never null");
      }
    }
    for (IndexSpec index : schema.indexes()) {
      out.printf(
          "index %-32s %s over %s, since %d%n",
          index.name(), index.kind(), index.type(), index.since());
    }
    return 0;
  }

  private int diff(RecordSpace space, Schema wanted) {
    SchemaDiff diff = SchemaDiff.of(space, wanted);
    out.printf("from version %d to version %d%n", diff.from(), diff.to());
    diff.lines().forEach(out::println);
    if (diff.changes().isEmpty()) {
      out.println("nothing changes");
    } else if (!diff.isAccepted()) {
      out.println("the store would not open with it");
    }
    return diff.isAccepted() ? 0 : StoreAndPath.WRONG;
  }
}
