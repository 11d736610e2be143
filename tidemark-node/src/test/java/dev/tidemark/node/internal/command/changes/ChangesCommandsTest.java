package dev.tidemark.node.internal.command.changes;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.changes.StartAt;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.Role;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.node.Call;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.remote.DatabaseServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangesCommandsTest {
  private static final TypeSpec SPEC =
      TypeSpec.of(
          "Book",
          List.of(
              new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
              new FieldSpec(2, "title", FieldType.Scalar.STRING, true)),
          List.of(1));
  private static final RecordType<DynamicRecord> TYPE = DynamicRecord.type(SPEC);
  private static final Schema SCHEMA =
      Schema.of(1, List.of(TYPE), List.of()).withStreams(ChangeStreamSpec.of("books"));
  private static final Pattern TOKEN = Pattern.compile("\"token\":\"([^\"]+)\"");

  @TempDir private Path directory;
  private final Call call = new Call();

  @BeforeEach
  void makeStore() {
    try (Database database = EmbeddedDatabase.open(directory.resolve("store"))) {
      save(database, 1, "Emma");
      save(database, 2, "Persuasion \"1817\"");
      save(database, 1, "Emma, revised");
      RecordSpace.open(
          database,
          Schema.of(1, List.of(TYPE), List.of()),
          List.of("library", "quiet"),
          0,
          options -> options);
    }
  }

  private static void save(Database database, long id, String title) {
    RecordStore<DynamicRecord> books =
        RecordSpace.open(database, SCHEMA, List.of("library", "books"), 0, options -> options)
            .store(TYPE);
    database.run(tx -> books.save(tx, DynamicRecord.of(SPEC).with("id", id).with("title", title)));
  }

  @Test
  void tailShowsTheChangesOfADirectoryInCommitOrder() {
    assertThat(books("tail")).as(call.err()).isZero();
    assertThat(call.out().lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("INSERT Book {\"id\":1} new {\"title\":\"Emma\"}"),
            line -> assertThat(line).contains("{\"id\":2}").contains("Persuasion \\\"1817\\\""),
            line ->
                assertThat(line)
                    .contains("UPDATE Book {\"id\":1} new {\"title\":\"Emma, revised\"}")
                    .contains("old {\"title\":\"Emma\"}"));
  }

  @Test
  void tailAsJsonHasAllFieldsAndGoesOnFromAPosition() {
    assertThat(books("tail", "--json", "--limit", "2")).as(call.err()).isZero();
    List<String> lines = call.out().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst())
        .contains("\"table_name\":\"Book\"", "\"mod_type\":\"INSERT\"")
        .contains("\"value_capture_type\":\"OLD_AND_NEW_VALUES\"")
        .contains("\"mods\":[{\"keys\":{\"id\":1},\"new_values\":{\"title\":\"Emma\"}")
        .contains("\"number_of_records_in_transaction\":1", "\"is_system_transaction\":false");
    String position = lines.get(1).replaceAll(".*\"position\":\"([0-9a-f]+)\".*", "$1");

    assertThat(books("tail", "--from", position)).as(call.err()).isZero();
    assertThat(call.out().lines()).singleElement().asString().contains("Emma, revised");
  }

  @Test
  void partitionsAreSplitAndMergedAndTheirLineageIsShown() {
    String first = token(0, "partitions");
    assertThat(call.out()).contains("\"state\":\"ACTIVE\"", "\"begin\":null");

    assertThat(books("split", first, "Book", "2")).as(call.err()).isZero();
    assertThat(call.out()).contains("TOKEN").contains("Book(2)");
    String lower = token(1, "partitions");
    String upper = token(2, "partitions");
    assertThat(books("merge", lower, upper)).as(call.err()).isZero();
    assertThat(books("lineage", "--json")).as(call.err()).isZero();
    assertThat(call.out().lines())
        .hasSize(4)
        .anyMatch(line -> line.contains("\"parents\":[\"%s\",\"%s\"]".formatted(lower, upper)));
    assertThat(books("tail")).as(call.err()).isZero();
    assertThat(call.out().lines()).hasSize(3);
  }

  @Test
  void lineageOfARunSaysHowFarItsReadersAre() throws InterruptedException {
    try (Database database = EmbeddedDatabase.open(directory.resolve("store"))) {
      RecordSpace space =
          RecordSpace.open(database, SCHEMA, List.of("library", "books"), 0, options -> options);
      AtomicInteger seen = new AtomicInteger();
      ReaderOptions options = ReaderOptions.forRun("audit").withStart(StartAt.beginning());
      MetadataStore metadata = MetadataStore.in(database, Subspace.of("ops", "readers"));
      try (ChangeReader reader =
          ChangeReader.of(RecordChangeSource.of(space, "books"), metadata, options)) {
        reader.start(delivery -> seen.incrementAndGet());
        eventually("all three were read", () -> seen.get() == 3);
        reader.stop(Duration.ofSeconds(30));
      }
    }
    assertThat(books("lineage", "--run", "audit", "--readers", "ops/readers", "--json"))
        .as(call.err())
        .isZero();
    assertThat(call.out()).contains("\"state\":\"RUNNING\"", "\"epoch\":1");
    assertThat(books("lineage", "--run", "other", "--readers", "ops/readers")).isEqualTo(1);
    assertThat(call.err()).contains("There is no run other in ops/readers");
  }

  @Test
  void servedStoreIsFollowedByAClientThatMayOnlyRead() throws InterruptedException, IOException {
    Path token = Files.writeString(directory.resolve("token"), "s3cret\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    try (Database database = EmbeddedDatabase.open(directory.resolve("store"));
        DatabaseServer served =
            DatabaseServer.open(database, options -> options.withToken("s3cret", Role.READ))) {
      String uri = served.uri().toString();
      Thread tail = Thread.ofVirtual().start(() -> follow(uri, token));
      eventually("the first three are shown", () -> call.out().lines().count() == 3);
      save(database, 3, "Sanditon");
      tail.join(Duration.ofSeconds(60));
      assertThat(tail.isAlive()).isFalse();
      assertThat(call.out()).as(call.err()).contains("Sanditon");
    }
  }

  private int follow(String uri, Path token) {
    return run(
        "tail", uri, "library/books", "books", "--limit", "4", "--token-file", token.toString());
  }

  @Test
  void whatIsWrongIsSaidWithTheRemedy() {
    String store = directory.resolve("store").toString();
    assertThat(misused()).contains("Missing required subcommand");
    assertThat(misused("tial", store)).contains("no command 'tial'; did you mean tail?");
    assertThat(misused("tail", store)).contains("'PATH'");
    assertThat(misused("tail", store, "library/books")).contains("'STREAM'");
    assertThat(misused("tail", store, "p", "s", "x")).contains("no further argument 'x'");
    assertThat(misused("tail", store, "p", "s", "--limit", "0")).contains("from 1 on, not '0'");
    assertThat(misused("tail", store, "p", "s", "--from", "xyz")).contains("'xyz' is no position");
    assertThat(misused("tail", store, "p", "s", "--from", "2026-99")).contains("2026-02-01T");
    assertThat(misused("split", store, "p", "s", "t", "Book")).contains("'KEY'");
    assertThat(misused("merge", store, "p", "s", "t")).contains("'TOKEN'");
    assertThat(misused("merge", store, "p", "s", "t", "u", "--limit", "1")).contains("'--limit'");
    assertThat(misused("lineage", store, "p", "s", "--run", "r")).contains("go together");
    assertThat(misused("tail", store, "p", "s", "--fast")).contains("no option '--fast'");

    assertThat(refused("tail", store, "library/books", "papers")).contains("there is books");
    assertThat(refused("tail", store, "library/quiet", "x")).contains("have no change stream");
    assertThat(refused("tail", store, "nowhere", "x")).contains("There is no directory /nowhere");
    assertThat(refused("merge", store, "library/books", "books", "a", "b")).contains("no token");
    String token = token(0, "partitions");
    assertThat(refused("split", store, "library/books", "books", token, "Book", "two"))
        .contains("two");
    assertThat(refused("split", store, "library/books", "books", token, "Paper", "2"))
        .contains("There is no record type Paper; there is Book");
    assertThat(refused("split", store, "library/books", "books", token, "Book", "2", "3"))
        .contains("has 1 parts; 2 were given");
    String ahead = "7fffffffffffffff" + "0000" + "00000000";
    assertThat(refused("tail", store, "library/books", "books", "--from", ahead)).isNotBlank();
    assertThat(run("--help")).isZero();
    assertThat(call.out()).contains("Usage: tidemark changes");
  }

  private String misused(String... args) {
    assertThat(run(args)).isEqualTo(2);
    assertThat(call.err()).contains("Usage: tidemark changes");
    return call.err();
  }

  private String refused(String... args) {
    assertThat(run(args)).as(call.out()).isEqualTo(1);
    assertThat(call.err().lines()).hasSize(1);
    return call.err();
  }

  /** The token in a line of what {@code command} prints. */
  private String token(int line, String command) {
    assertThat(books(command, "--json")).as(call.err()).isZero();
    var found = TOKEN.matcher(call.out().lines().toList().get(line));
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  /** Runs a command on the stream of the directory. */
  private int books(String command, String... rest) {
    String store = directory.resolve("store").toString();
    String[] args = new String[rest.length + 4];
    args[0] = command;
    args[1] = store;
    args[2] = "library/books";
    args[3] = "books";
    System.arraycopy(rest, 0, args, 4, rest.length);
    return run(args);
  }

  private int run(String... args) {
    return call.run(Stream.concat(Stream.of("changes"), Stream.of(args)).toArray(String[]::new));
  }
}
