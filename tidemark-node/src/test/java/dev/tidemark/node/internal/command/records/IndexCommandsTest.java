package dev.tidemark.node.internal.command.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.node.Call;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.remote.DatabaseServer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code records index} on a store whose records it has no classes for. */
class IndexCommandsTest {
  private static final TypeSpec SPEC =
      TypeSpec.of(
          "Book",
          List.of(
              new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
              new FieldSpec(2, "author", FieldType.Scalar.STRING, true)),
          List.of(1));
  private static final RecordType<DynamicRecord> TYPE = DynamicRecord.type(SPEC);
  private static final IndexSpec BY_AUTHOR =
      IndexSpec.of("by_author", "Book", IndexKind.VALUE, List.of(ColumnSpec.of(2)));
  private static final List<String> PATH = List.of("library", "books");

  @TempDir private Path directory;
  private final Call call = new Call();

  /** 300 books, and an index that came too late to be built at once. */
  @BeforeEach
  void makeStore() {
    try (Database database = EmbeddedDatabase.open(directory)) {
      RecordStore<DynamicRecord> books = open(database, Schema.of(1, List.of(TYPE), List.of()));
      database.run(
          tx -> {
            for (long id = 0; id < 300; id++) {
              books.save(tx, DynamicRecord.of(SPEC).with("id", id).with("author", "a" + id % 7));
            }
          });
      open(database, Schema.of(2, List.of(TYPE), List.of(BY_AUTHOR)));
    }
  }

  @Test
  void disabledIndexIsListedBuiltAndListedAgain() {
    assertThat(run("list", directory.toString(), "library/books")).isZero();
    assertThat(said()).contains("by_author").contains("DISABLED");

    assertThat(run("build", directory.toString(), "library/books", "by_author")).isZero();
    assertThat(said()).contains("300").contains("by_author is READABLE");
    assertThat(entries()).hasSize(300);
  }

  @Test
  void scrubFindsAndRepairsWhatIsWrong() {
    run("build", directory.toString(), "library/books", "by_author");
    KeyValue entry = entries().getFirst();
    try (Database database = EmbeddedDatabase.open(directory)) {
      database.run(tx -> tx.clear(entry.key()));
    }

    assertThat(run("scrub", directory.toString(), "library/books")).isEqualTo(1);
    assertThat(said()).contains("missing=1").contains("repaired=0");
    assertThat(run("scrub", directory.toString(), "library/books", "--json")).isEqualTo(1);
    assertThat(said())
        .startsWith("{\"scanned\":")
        .contains("\"missing\":1")
        .contains("\"findings\":[\"");
    assertThat(run("scrub", directory.toString(), "library/books", "--repair")).isZero();
    assertThat(run("scrub", directory.toString(), "library/books")).isZero();
    assertThat(entries()).contains(entry);
  }

  @Test
  void indexThatCannotBeCheckedIsNamed() {
    IndexSpec updates =
        IndexSpec.of("updates", "Book", IndexKind.COUNT_UPDATES, List.of(ColumnSpec.of(2)));
    try (Database database = EmbeddedDatabase.open(directory)) {
      RecordSpace.open(
          database,
          Schema.of(1, List.of(TYPE), List.of(updates)),
          List.of("library", "visits"),
          0,
          options -> options);
    }
    assertThat(run("scrub", directory.toString(), "library/visits")).isZero();
    assertThat(said()).contains("updates is not checked: it counts saves");
  }

  @Test
  void servedStoreIsBuiltWhileOthersHaveItOpen() {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory);
        DatabaseServer server = DatabaseServer.open(database)) {
      assertThat(run("build", server.uri().toString(), "library/books", "by_author")).isZero();
    }
    assertThat(said()).contains("by_author is READABLE");
  }

  @Test
  void whatIsNotThereIsNamed() {
    assertThat(run("list", directory.resolve("none").toString(), "x")).isEqualTo(1);
    assertThat(complained()).contains("There is no directory");
    assertThat(run("list", directory.toString(), "library/none")).isEqualTo(1);
    assertThat(complained()).contains("none");
    assertThat(run("build", directory.toString(), "library/books", "by_title")).isEqualTo(1);
    assertThat(complained()).contains("'by_title'").contains("by_author");
  }

  @Test
  void argumentsThatMakeNoSenseGetTheUsage() {
    assertThat(run()).isEqualTo(2);
    assertThat(run("build", directory.toString(), "library/books")).isEqualTo(2);
    assertThat(run("scrub", directory.toString(), "library/books", "--now")).isEqualTo(2);
    assertThat(complained())
        .contains("has no option '--now'")
        .contains("Usage: tidemark records index scrub");
  }

  private static RecordStore<DynamicRecord> open(Database database, Schema schema) {
    return RecordSpace.open(database, schema, PATH, 0, options -> options).store(TYPE);
  }

  private List<KeyValue> entries() {
    try (Database database = EmbeddedDatabase.open(directory)) {
      Subspace store =
          DirectoryLayer.DEFAULT
              .open(database, LayerId.NONE, PATH.toArray(String[]::new))
              .subspace();
      return database.read(tx -> tx.scan(store.sub(2).prefixRange()).list());
    }
  }

  private int run(String... args) {
    return call.run(
        Stream.concat(Stream.of("records", "index"), Stream.of(args)).toArray(String[]::new));
  }

  private String said() {
    return call.out();
  }

  private String complained() {
    return call.err();
  }
}
