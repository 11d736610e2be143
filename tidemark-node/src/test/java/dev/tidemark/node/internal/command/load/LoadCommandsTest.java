package dev.tidemark.node.internal.command.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.node.Call;
import dev.tidemark.node.Main;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class LoadCommandsTest {
  private static final FieldSpec ID = new FieldSpec(1, "id", FieldType.Scalar.LONG, false);
  private static final FieldSpec TITLE = new FieldSpec(2, "title", FieldType.Scalar.STRING, true);
  private static final FieldSpec PAGES = new FieldSpec(3, "pageCount", FieldType.Scalar.LONG, true);
  private static final List<String> COLUMNS =
      List.of("--column", "id:integer:key", "--column", "city:text:required=address.city");

  @TempDir private Path directory;
  private final Call call = new Call();

  private String store() {
    return directory.resolve("store").toString();
  }

  private String file() {
    return directory.resolve("shop.duckdb").toString();
  }

  private void publish(String... payloads) {
    try (Database database = EmbeddedDatabase.open(directory.resolve("store"));
        Pulse pulse = Pulse.on(database)) {
      EventStream stream = pulse.stream("orders");
      for (String payload : payloads) {
        stream.add("order", payload.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private List<String> rows(String query) {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file());
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(query)) {
      List<String> rows = new ArrayList<>();
      while (found.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
          row.append(i == 1 ? "" : " ").append(found.getString(i));
        }
        rows.add(row.toString());
      }
      return rows;
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private int stream(String... rest) {
    return run(
        Stream.of(
                List.of("stream", store(), "orders", file(), "--keep-all"), COLUMNS, List.of(rest))
            .flatMap(List::stream)
            .toArray(String[]::new));
  }

  private int run(String... args) {
    return call.run(Stream.concat(Stream.of("load"), Stream.of(args)).toArray(String[]::new));
  }

  @Test
  void eventsOfAStreamBecomeRowsAndDeadLetters() {
    publish(
        "{\"id\":1,\"address\":{\"city\":\"Kobe\"}}",
        "{\"id\":2,\"address\":{\"city\":\"Oita\"}}",
        "{\"id\":1,\"address\":{\"city\":\"Nara\"}}",
        "{\"id\":3}");

    assertThat(stream("--json")).as(call.err()).isZero();
    assertThat(call.out())
        .contains("\"pulled\":4,\"merged\":3,\"duplicates\":1,\"ignored\":0,\"dead\":1")
        .contains("\"ending\":\"the stream is empty\"");
    assertThat(call.err()).contains("Dead letters: 1.", "tidemark_dead_letters");
    assertThat(rows("SELECT id, city FROM orders ORDER BY id")).containsExactly("1 Nara", "2 Oita");
    assertThat(rows("SELECT reason FROM tidemark_dead_letters"))
        .containsExactly("missing address.city");

    publish("{\"id\":4,\"address\":{\"city\":\"Ube\"}}");
    assertThat(stream("--budget", "60")).as(call.err()).isZero();
    assertThat(call.out()).contains("PULLED").contains("the stream is empty");
    assertThat(rows("SELECT id, city FROM orders WHERE id > 2")).containsExactly("4 Ube");
  }

  private void save(List<FieldSpec> fields, int version, long id, String title) {
    TypeSpec spec = TypeSpec.of("Book", fields, List.of(1));
    RecordType<DynamicRecord> type = DynamicRecord.type(spec);
    Schema schema =
        Schema.of(version, List.of(type), List.of())
            .withStreams(ChangeStreamSpec.of("books").withCapture(CaptureType.NEW_ROW));
    try (Database database = EmbeddedDatabase.open(directory.resolve("store"))) {
      RecordStore<DynamicRecord> books =
          RecordSpace.open(database, schema, List.of("library"), 0, options -> options).store(type);
      DynamicRecord book = DynamicRecord.of(spec).with("id", id).with("title", title);
      DynamicRecord saved = fields.size() == 2 ? book : book.with("pageCount", 300L);
      database.run(tx -> books.save(tx, saved));
    }
  }

  @Test
  void recordsBecomeRowsAndNewFieldsColumns() {
    save(List.of(ID, TITLE), 1, 1, "Emma");
    save(List.of(ID, TITLE), 1, 2, "Persuasion");
    assertThat(run("table", store(), "library", "books", "Book", file(), "--json"))
        .as(call.err())
        .isZero();
    assertThat(call.out()).isEqualTo("{\"changes\":2}\n");
    assertThat(rows("SELECT id, title FROM book ORDER BY id"))
        .containsExactly("1 Emma", "2 Persuasion");

    save(List.of(ID, TITLE, PAGES), 2, 1, "Emma, revised");
    assertThat(run("table", store(), "library", "books", "Book", file())).as(call.err()).isZero();
    assertThat(call.out()).isEqualTo("CHANGES\n1\n");
    assertThat(rows("SELECT id, title, page_count FROM book ORDER BY id"))
        .containsExactly("1 Emma, revised 300", "2 Persuasion null");
  }

  @Test
  void whatIsWrongIsSaidWithTheRemedy() {
    publish("{}");
    String[] to = {"stream", store(), "orders", file()};
    assertThat(misused(to)).contains("either --column, once for each column, or --instant-data");
    assertThat(misused(and(to, "--instant-data"))).contains("--keep-all", "--accept-loss");
    assertThat(misused(and(to, "--keep-all", "--column", "id"))).contains("'id' is no column");
    assertThat(misused(and(to, "--keep-all", "--column", "id:number:key")))
        .contains("'number' in column 'id:number:key' is none of text, integer");
    assertThat(misused(and(to, "--keep-all", "--column", "id:integer"))).contains("no key column");
    assertThat(misused(and(to, "--keep-all", "--column", "id:integer:key=")))
        .contains("the path '' in column 'id:integer:key=' has an empty name");
    assertThat(misused(and(to, "--keep-all", "--column", "id:integer:key=a..b")))
        .contains("the path 'a..b'");
    assertThat(misused(and(to, "--keep-all", "--accept-loss", "--instant-data")))
        .contains("not both");
    assertThat(misused(and(to, "--keep-all", "--instant-data", "--budget", "0")))
        .contains("budget is PT0S");
    assertThat(misused(and(to, "--keep-all", "--instant-data", "--budget", "9", "--follow")))
        .contains("--follow has no end");

    assertThat(refused("stream", store(), "orders", "mysql://x", "--keep-all", "--instant-data"))
        .contains("'mysql://x' is no warehouse", "jdbc:postgresql:");
    assertThat(refused(and(to, "--keep-all", "--instant-data", "--pulse", "nowhere")))
        .contains("There is no directory /nowhere");
    assertThat(refused("stream", store(), "odrers", file(), "--keep-all", "--instant-data"))
        .contains("There is no stream 'odrers' in this store; stream list shows");
    assertThat(refused("table", store(), "nowhere", "books", "Book", file()))
        .contains("There is no directory /nowhere");
    save(List.of(ID, TITLE), 1, 1, "Emma");
    assertThat(refused("table", store(), "library", "books", "Paper", file()))
        .contains("There is no record type Paper; there is Book");
    assertThat(refused("table", store(), "library", "papers", "Book", file())).contains("papers");
  }

  @Test
  void tableThatDoesNotFitIsRefusedWithEveryDifferenceAndNothingIsTaken() throws SQLException {
    publish("{\"id\":1,\"address\":{\"city\":\"Kobe\"}}");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id VARCHAR, city INTEGER, PRIMARY KEY (id))");
    }

    assertThat(stream()).isEqualTo(1);

    assertThat(call.err())
        .contains("Table 'orders' does not fit the mapping")
        .contains("column 'id' is VARCHAR, and BIGINT in the mapping")
        .contains("column 'city' is INTEGER, and VARCHAR in the mapping");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file());
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE orders");
    }
    assertThat(stream()).as(call.err()).isZero();
    assertThat(rows("SELECT id, city FROM orders")).containsExactly("1 Kobe");
  }

  @Test
  void warehouseThatAnotherProcessHasIsNamed() throws Exception {
    publish("{}");
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path", "")),
                FileHolder.class.getName(),
                file())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(other.inputReader().readLine()).isEqualTo("open");

      assertThat(stream()).isEqualTo(1);

      assertThat(call.err()).contains(file(), "in use by another process", "PostgreSQL");
    } finally {
      other.outputWriter().close();
      assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  /**
   * Runs a load that goes on, tells it to end when it says {@code progress}, and what it printed.
   */
  private String stopped(String progress, String... args) throws Exception {
    Process load =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty(
                                "surefire.test.class.path",
                                System.getProperty("java.class.path", "")),
                            Main.class.getName(),
                            "load"),
                        Stream.of(args))
                    .toList())
            .start();
    try {
      StringBuilder told = new StringBuilder();
      for (String line = load.errorReader().readLine();
          line != null && !line.contains(progress);
          line = load.errorReader().readLine()) {
        told.append(line).append('\n');
      }
      // Its own method would close the pipe of the output too.
      assertThat(load.toHandle().destroy()).as(told.toString()).isTrue();
      String printed = String.join("\n", load.inputReader().lines().toList());
      assertThat(load.waitFor()).as(told + printed).isZero();
      return printed;
    } finally {
      load.destroyForcibly();
    }
  }

  @Test
  void loadThatIsToldToEndPrintsItsResultAndSucceeds() throws Exception {
    publish("{\"id\":1,\"address\":{\"city\":\"Kobe\"}}");
    List<String> args = new ArrayList<>(List.of("stream", store(), "orders", file()));
    args.addAll(COLUMNS);
    args.addAll(List.of("--keep-all", "--follow", "--json"));

    assertThat(stopped("1 merged", args.toArray(String[]::new)))
        .contains("\"merged\":1", "\"nacked\":0", "\"ending\":\"stopped\"");

    assertThat(rows("SELECT id, city FROM orders")).containsExactly("1 Kobe");
    publish("{\"id\":2,\"address\":{\"city\":\"Oita\"}}");
    assertThat(stream("--json")).as(call.err()).isZero();
    assertThat(call.out()).contains("\"pulled\":1,\"merged\":1");
  }

  @Test
  void tableThatIsToldToEndPrintsItsResultAndSucceeds() throws Exception {
    save(List.of(ID, TITLE), 1, 1, "Emma");

    String printed =
        stopped(
            "1 changes",
            "table",
            store(),
            "library",
            "books",
            "Book",
            file(),
            "--follow",
            "--json");

    assertThat(printed).isEqualTo("{\"changes\":1}");
    assertThat(rows("SELECT id, title FROM book")).containsExactly("1 Emma");
  }

  /** A process that has a warehouse open until its input ends. */
  static final class FileHolder {
    private FileHolder() {}

    public static void main(String[] args) throws Exception {
      try (Connection held = DriverManager.getConnection("jdbc:duckdb:" + args[0])) {
        System.out.println(held.isClosed() ? "closed" : "open");
        assertThat(System.in.read()).isEqualTo(-1);
      }
    }
  }

  private static String[] and(String[] args, String... more) {
    return Stream.concat(Stream.of(args), Stream.of(more)).toArray(String[]::new);
  }

  private String misused(String... args) {
    assertThat(run(args)).isEqualTo(2);
    assertThat(call.err()).contains("Usage: tidemark load");
    return call.err();
  }

  private String refused(String... args) {
    assertThat(run(args)).as(call.out()).isEqualTo(1);
    assertThat(call.err().lines()).hasSize(1);
    return call.err();
  }
}
