package dev.tidemark.node.internal.command.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.Role;
import dev.tidemark.grpc.ServerSecurity;
import dev.tidemark.kv.Database;
import dev.tidemark.node.Call;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FormerIndex;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.remote.DatabaseServer;
import dev.tidemark.testkit.server.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a store without its program. */
class RecordsCommandsTest {
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
  private static final Schema SCHEMA = Schema.of(1, List.of(TYPE), List.of(BY_AUTHOR));

  @TempDir private Path directory;
  private final Call call = new Call();

  @BeforeEach
  void makeStore() {
    try (Database database = EmbeddedDatabase.open(store())) {
      RecordStore<DynamicRecord> books =
          RecordSpace.open(database, SCHEMA, List.of("library", "books"), 0, options -> options)
              .store(TYPE);
      database.run(
          tx -> {
            for (long id = 0; id < 700; id++) {
              String author = id % 2 == 0 ? "Lovelace" : "a" + id % 7;
              books.save(tx, DynamicRecord.of(SPEC).with("id", id).with("author", author));
            }
          });
      RecordSpace.open(
          database,
          Schema.of(2, List.of(TYPE), List.of(BY_AUTHOR.withSince(2))),
          List.of("library", "others"),
          0,
          options -> options);
    }
  }

  private Path store() {
    return directory.resolve("store");
  }

  @Test
  void statisticsAreCollectedAndShownWithAPicture() throws Exception {
    assertThat(run("statistics", store().toString(), "library/books")).isZero();
    assertThat(said()).contains("No statistics have been collected");
    assertThat(run("statistics", store().toString(), "library/books", "--collect")).isZero();
    assertThat(said())
        .contains("Book: 700 rows")
        .contains("(author) 8 different")
        .contains("Lovelace 50.0 %")
        .contains("#".repeat(40));
    assertThat(run("statistics", store().toString(), "library/books", "--refresh")).isZero();
    assertThat(run("statistics", store().toString(), "library/books", "--now")).isEqualTo(2);
    assertThat(complained()).contains("Usage: tidemark records statistics");
  }

  @Test
  void queryIsAnsweredAndAMistakeInItIsShown() throws Exception {
    String store = store().toString();
    String counted = "SELECT COUNT(*) FROM Book WHERE author = 'Lovelace'";
    assertThat(run("query", store, "library/books", counted)).isZero();
    assertThat(said()).contains("350").contains("(1 row)");
    assertThat(run("query", store, "library/books", "SELECT nothing FROM Book")).isEqualTo(1);
    assertThat(complained()).contains("nothing");
    assertThat(run("query", store, "library/books")).isEqualTo(2);
    assertThat(complained()).contains("Usage: tidemark records query");
  }

  @Test
  void storesAreFoundAndDescribed() {
    String store = store().toString();
    assertThat(run("list", store)).as(complained()).isZero();
    assertThat(said()).contains("library/books", "library/others", "[Book]");
    assertThat(run("list", store, "library/others", "--json")).as(complained()).isZero();
    assertThat(said())
        .isEqualTo(
            "{\"path\":\"library/others\",\"version\":2,\"types\":[\"Book\"],\"indexes\":1}\n");
    assertThat(run("describe", store, "library/books")).as(complained()).isZero();
    assertThat(said()).contains("primary key", "author", "by_author", "READABLE");
    assertThat(run("list", store, "nowhere")).isEqualTo(1);
    assertThat(complained()).contains("There is no directory /nowhere");
  }

  @Test
  void queryIsExplainedAndRowsAreJson() {
    String store = store().toString();
    String sql = "SELECT id, author FROM Book WHERE author = 'Lovelace' ORDER BY id LIMIT 2";
    assertThat(run("query", store, "library/books", sql, "--json")).as(complained()).isZero();
    assertThat(said())
        .isEqualTo("{\"id\":0,\"author\":\"Lovelace\"}\n{\"id\":2,\"author\":\"Lovelace\"}\n");
    assertThat(run("explain", store, "library/books", sql)).as(complained()).isZero();
    assertThat(said()).contains("plan").contains("by_author");
  }

  @Test
  void pathMayBeginWithASlashAsMessagesShowIt() throws Exception {
    String store = store().toString();
    String counted = "SELECT COUNT(*) FROM Book";
    assertThat(run("query", store, "/library/books", counted)).as(complained()).isZero();
    assertThat(said()).contains("700");
    assertThat(run("query", store, "/users", counted)).isEqualTo(1);
    assertThat(complained()).contains("There is no directory /users");
    assertThat(run("query", store, "/", counted)).isEqualTo(1);
    assertThat(complained()).contains("There is no directory");
  }

  @Test
  void longAnswerIsShownRowByRow() throws Exception {
    String all = "SELECT id, author FROM Book ORDER BY id DESC";
    assertThat(run("query", store().toString(), "library/books", all)).isZero();
    List<String> lines = said().lines().toList();
    assertThat(lines).hasSize(703).last().isEqualTo("(700 rows)");
    assertThat(lines.subList(0, 3)).containsExactly("id  | author", "----+---------", "699 | a6");
  }

  @Test
  void sumThatIsTooLargeIsAMessage() throws Exception {
    try (Database database = EmbeddedDatabase.open(store())) {
      RecordStore<DynamicRecord> books =
          RecordSpace.open(database, SCHEMA, List.of("library", "books"), 0, options -> options)
              .store(TYPE);
      database.run(tx -> books.save(tx, DynamicRecord.of(SPEC).with("id", Long.MAX_VALUE)));
    }
    assertThat(run("query", store().toString(), "library/books", "SELECT SUM(id) FROM Book"))
        .isEqualTo(1);
    assertThat(complained()).startsWith("tidemark: ").doesNotContain("\tat ");
  }

  @Test
  void schemaIsShownExportedAndCompared() throws Exception {
    Path file = directory.resolve("books.schema");
    assertThat(run("schema", "show", store().toString(), "library/books")).isZero();
    assertThat(said()).contains("version 1").contains("author").contains("index by_author");
    assertThat(run("schema", "show", store().toString(), "library/books", "--json")).isZero();
    assertThat(said()).startsWith("{\"version\":1,\"types\":[{\"name\":\"Book\"");
    assertThat(run("schema", "export", store().toString(), "library/books", file.toString()))
        .isZero();
    assertThat(
            run("schema", "export", store().toString(), "library/books", file.toString(), "--json"))
        .isZero();
    assertThat(said()).startsWith("{\"done\":\"export\",\"version\":").contains(file.toString());
    assertThat(run("schema", "diff", store().toString(), "library/books", file.toString()))
        .isZero();
    assertThat(said()).contains("nothing changes");

    Schema without =
        Schema.of(2, List.of(TYPE), List.of()).withFormer(new FormerIndex("by_author", 2));
    Files.write(file, without.toBytes());
    assertThat(run("schema", "diff", store().toString(), "library/books", file.toString()))
        .isZero();
    assertThat(said()).contains("from version 1 to version 2").contains("INDEX_REMOVED");
  }

  @Test
  void otherStoreIsComparedAndWhatWouldNotOpenIsAnError() throws Exception {
    String store = store().toString();
    assertThat(run("schema", "diff", store, "library/books", store, "library/others")).isZero();
    assertThat(said()).contains("INDEX_REDEFINED").contains("700 records");
    assertThat(run("schema", "diff", store, "library/others", store, "library/books")).isEqualTo(1);
    assertThat(said()).contains("version-stale").contains("would not open");
  }

  @Test
  void whatIsNotThereIsNamed() throws Exception {
    String store = store().toString();
    assertThat(run("schema", "diff", store, "library/books", directory + "/none")).isEqualTo(1);
    assertThat(complained()).contains("Cannot read the schema in");
    assertThat(run("statistics", directory + "/none", "x")).isEqualTo(1);
    assertThat(complained()).contains("There is no directory");
    assertThat(run("schema", "diff", store)).isEqualTo(2);
    assertThat(complained()).contains("Usage: tidemark records schema diff");
  }

  @Test
  void servedStoreIsLookedAtWithATokenAndCertificates() throws Exception {
    Certificates server = Certificates.make(directory, "server");
    Certificates client = Certificates.make(directory, "client");
    String[] certificates = {
      "--tls-ca", server.certificate().toString(),
      "--tls-cert", client.certificate().toString(),
      "--tls-key", client.privateKey().toString()
    };
    try (EmbeddedDatabase database = EmbeddedDatabase.open(store());
        DatabaseServer served =
            DatabaseServer.open(
                database,
                o ->
                    o.withToken("s3cret", Role.READ)
                        .withSecurity(
                            new ServerSecurity.MutualTls(
                                server.certificate(),
                                server.privateKey(),
                                client.certificate())))) {
      String uri = served.uri().toString();
      for (String[] command :
          List.of(
              new String[] {"index", "list", uri, "library/books"},
              new String[] {"query", uri, "library/books", "SELECT author FROM Book LIMIT 1"},
              new String[] {"statistics", uri, "library/books"},
              new String[] {"schema", "diff", uri, "library/books", uri, "library/others"})) {
        assertThat(run(with(command, certificates))).isEqualTo(1);
        assertThat(complained()).contains("token");
        assertThat(run(with(with(command, certificates), "--token-file", token("s3cret"))))
            .as(complained())
            .isZero();
      }
      assertThat(run("index", "list", uri, "library/books", "--token-file", token("s3cret")))
          .as("without certificates")
          .isEqualTo(1);
    }
  }

  @Test
  void optionsOfTheConnectionThatMakeNoSenseAreNamed() throws Exception {
    String[] served = {"schema", "show", "tidemarks://127.0.0.1:1", "x"};
    assertThat(run(with(served, "--tls-ca"))).isEqualTo(2);
    assertThat(complained()).contains("parameter for option '--tls-ca'").contains("Usage:");
    assertThat(run(with(served, "--tls-ca", "a", "--tls-ca", "b"))).isEqualTo(2);
    assertThat(run(with(served, "--tls-ca", "a", "--tls-cert", "b"))).isEqualTo(2);
    assertThat(complained()).contains("--tls-cert and --tls-key go together");
    assertThat(run(with(served, "--tls-cert", "a", "--tls-key", "b"))).isEqualTo(2);
    assertThat(complained()).contains("--tls-cert and --tls-key need --tls-ca");
    assertThat(run("schema", "show", store().toString(), "library/books", "--tls-ca", "a"))
        .isEqualTo(2);
    assertThat(complained()).contains("--tls-ca is for a served store");

    assertThat(run(with(served, "--tls-ca", directory + "/none"))).isEqualTo(1);
    assertThat(complained()).contains("/none of --tls-ca cannot be read");
    for (String text : List.of("", "read-write s3cret", "s3cret\nother")) {
      assertThat(run(with(served, "--token-file", token(text)))).isEqualTo(1);
      assertThat(complained()).contains("one token").doesNotContain("s3cret");
    }
  }

  @Test
  void tokenIsNotSentInPlainTextToAnotherMachine() throws Exception {
    String[] served = {"schema", "show", "tidemark://192.0.2.1:7420", "x"};
    assertThat(run(with(served, "--token-file", token("s3cret")))).isEqualTo(1);
    assertThat(complained()).startsWith("tidemark: Plain text to tidemark://192.0.2.1");
  }

  @Test
  void tokenThatOthersCanReadGetsAWarning() throws Exception {
    String file = token("s3cret");
    Files.setPosixFilePermissions(Path.of(file), PosixFilePermissions.fromString("rw-r--r--"));
    run("schema", "show", "tidemark://192.0.2.1", "x", "--token-file", file);
    assertThat(complained())
        .startsWith("tidemark: warning: others can read the token; run: chmod 600 " + file);
  }

  @Test
  void directoryWithoutAStoreIsRefusedAndLeftAsItIs() throws Exception {
    String empty = Files.createDirectory(directory.resolve("empty")).toString();
    assertThat(run("index", "list", empty, "x")).isEqualTo(1);
    assertThat(run("query", empty, "x", "SELECT id FROM Book")).isEqualTo(1);
    assertThat(run("statistics", empty, "x")).isEqualTo(1);
    assertThat(run("schema", "show", empty, "x")).isEqualTo(1);
    assertThat(complained()).contains("There is no database in " + empty);
    assertThat(Path.of(empty)).isEmptyDirectory();
  }

  private static String[] with(String[] command, String... options) {
    return Stream.concat(Arrays.stream(command), Arrays.stream(options)).toArray(String[]::new);
  }

  private String token(String text) throws IOException {
    Path file = directory.resolve("token");
    Files.writeString(file, text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file.toString();
  }

  private int run(String... args) {
    return call.run(Stream.concat(Stream.of("records"), Stream.of(args)).toArray(String[]::new));
  }

  private String said() {
    return call.out();
  }

  private String complained() {
    return call.err();
  }
}
