package dev.tidemark.changes.spanner;

import static dev.tidemark.testkit.spanner.SpannerScript.change;
import static dev.tidemark.testkit.spanner.SpannerScript.child;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.tidemark.testkit.spanner.FakeSpanner;
import dev.tidemark.testkit.spanner.SpannerScript;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command {@code changes} on a database of Spanner. */
class ChangesCommandTest {
  private static final String DATABASE = "projects/p/instances/i/databases/d";
  private static final Instant START = Instant.parse("2026-03-04T05:00:00Z");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private static Instant at(int second) {
    return START.plusSeconds(second);
  }

  /** The partition {@code a} is split into {@code b} and {@code c} after its only change. */
  private static void answer(SpannerScript.Query query, SpannerScript.Rows rows)
      throws InterruptedException {
    switch (query.token()) {
      case "" -> rows.record(child(query.start(), "a"));
      case "a" -> {
        rows.record(change(at(1), 1, 10));
        rows.record(child(at(2), "b", "a"));
        rows.record(child(at(2), "c", "a"));
      }
      case "b" -> rows.record(change(at(4), 1, 11));
      case "c" -> rows.record(change(at(3), 2, 20));
      default -> throw rows.failure(Status.Code.INVALID_ARGUMENT, "partition_token is invalid");
    }
  }

  private int run(SpannerScript script, String... words) {
    try (FakeSpanner spanner = FakeSpanner.googleSql(script)) {
      return call(Map.of("SPANNER_EMULATOR_HOST", spanner.address()), words);
    }
  }

  private int call(Map<String, String> environment, String... words) {
    out.reset();
    err.reset();
    return new ChangesCommand(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            environment)
        .run(words);
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private String complaint() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private List<JsonObject> objects() {
    return lines().stream().map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
  }

  private static String[] words(String command, String... options) {
    List<String> words = new ArrayList<>(List.of(command, DATABASE, "ledger"));
    words.addAll(List.of(options));
    return words.toArray(String[]::new);
  }

  @Test
  void tailPrintsTheChangesOfAllPartitionsInCommitOrder() {
    assertThat(
            run(
                ChangesCommandTest::answer,
                words("tail", "--from", START.toString(), "--until", at(9).toString())))
        .as(complaint())
        .isZero();
    assertThat(lines())
        .satisfiesExactly(
            line -> assertThat(line).endsWith("INSERT account {\"id\":1} new {\"balance\":10}"),
            line -> assertThat(line).endsWith("INSERT account {\"id\":2} new {\"balance\":20}"),
            line -> assertThat(line).endsWith("INSERT account {\"id\":1} new {\"balance\":11}"));
  }

  @Test
  void tailAsJsonHasAllFieldsAndGoesOnFromAPosition() {
    assertThat(
            run(
                ChangesCommandTest::answer,
                words("tail", "--json", "--limit", "2", "--until", at(9).toString())))
        .as(complaint())
        .isZero();
    List<JsonObject> first = objects();
    assertThat(first).hasSize(2);
    assertThat(first.getFirst().keySet())
        .containsExactly(
            "position",
            "partition_token",
            "commit_timestamp",
            "record_sequence",
            "server_transaction_id",
            "is_last_record_in_transaction_in_partition",
            "table_name",
            "column_types",
            "mods",
            "mod_type",
            "value_capture_type",
            "number_of_records_in_transaction",
            "number_of_partitions_in_transaction",
            "transaction_tag",
            "is_system_transaction");
    assertThat(first.getFirst().get("column_types").toString())
        .contains("\"name\":\"id\"", "\"is_primary_key\":true", "\"ordinal_position\":2");
    assertThat(first.getFirst().get("mods"))
        .hasToString("[{\"keys\":{\"id\":1},\"new_values\":{\"balance\":10},\"old_values\":{}}]");
    String position = first.getLast().get("position").getAsString();
    assertThat(
            run(
                (query, rows) -> {
                  if (query.token().isEmpty()) {
                    rows.record(child(query.start(), "b"));
                    rows.record(child(query.start(), "c"));
                  } else {
                    answer(query, rows);
                  }
                },
                words("tail", "--json", "--from", position, "--until", at(9).toString())))
        .as(complaint())
        .isZero();
    assertThat(objects())
        .extracting(each -> each.get("partition_token").getAsString())
        .containsExactly("c", "b");
  }

  @Test
  void partitionsAreThoseOfTheTimeThatIsAskedFor() {
    assertThat(run(ChangesCommandTest::answer, words("partitions", "--from", at(1).toString())))
        .as(complaint())
        .isZero();
    assertThat(lines()).containsExactly("START  TOKEN", at(1) + "  a");
    assertThat(run(ChangesCommandTest::answer, words("partitions", "--json"))).isZero();
    assertThat(objects())
        .singleElement()
        .extracting(each -> each.get("token").getAsString())
        .isEqualTo("a");
  }

  @Test
  void lineageNamesParentsAndChildren() {
    assertThat(
            run(
                ChangesCommandTest::answer,
                words(
                    "lineage", "--json", "--from", START.toString(), "--until", at(9).toString())))
        .as(complaint())
        .isZero();
    assertThat(lines())
        .containsExactly(
            "{\"state\":\"ENDED\",\"start\":\"%s\",\"token\":\"a\",\"parents\":[],\"children\":[\"b\",\"c\"]}"
                .formatted(START),
            "{\"state\":\"ACTIVE\",\"start\":\"%s\",\"token\":\"b\",\"parents\":[\"a\"],\"children\":[]}"
                .formatted(at(2)),
            "{\"state\":\"ACTIVE\",\"start\":\"%s\",\"token\":\"c\",\"parents\":[\"a\"],\"children\":[]}"
                .formatted(at(2)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "tail                         | a command, a database and a stream are needed",
        "tial projects/p/x y          | there is no command 'tial'",
        "split projects/p/x y         | Spanner splits and merges the partitions",
        "tail projects/p/x y z        | a command, a database and a stream are needed",
        "tail projects/p/x y --fast   | there is no option '--fast'",
        "tail projects/p/x y --limit  | --limit has no value",
        "tail projects/p/x y --limit 0 | from 1 on, not '0'",
        "tail projects/p/x y --from xyz | 'xyz' is no position",
        "tail projects/p/x y --from 2026-99 | 2026-02-01T08:00:00Z",
        "tail projects/p/x y --until soon | --until takes a time",
        "tail projects/p/x y --run r  | tail takes no --run",
        "lineage projects/p/x y --table t | --table and --metadata go with --run",
        "tail projects/p/x y          | projects/p/x",
        "tail projects/p/instances/i/databases/d no-name | 'no-name' is no name of a change stream"
      })
  void mistakeIsNamedWithTheUsageAndExitCode2(String line, String reason) {
    assertThat(call(Map.of(), line.split(" ", -1))).isEqualTo(2);
    assertThat(complaint()).startsWith("changes: ").contains(reason, "usage: changes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tail", "partitions", "lineage"})
  void streamThatIsNotThereIsNamed(String command) {
    SpannerScript script =
        (query, rows) -> {
          throw rows.failure(
              Status.Code.INVALID_ARGUMENT, "Table-valued function not found: READ_ledger");
        };
    assertThat(run(script, words(command, "--from", START.toString()))).isEqualTo(1);
    assertThat(complaint())
        .startsWith("changes: ")
        .contains("The database has no such stream; check its name (change stream ledger)")
        .doesNotContain("usage:");
  }

  @Test
  void positionOfAnotherSourceIsRefused() {
    assertThat(run(ChangesCommandTest::answer, words("tail", "--from", "0102"))).isEqualTo(1);
    assertThat(complaint()).contains("0102 is no position of a Spanner change stream");
  }

  @Test
  void helpIsNoMistake() {
    assertThat(call(Map.of(), "tail", DATABASE, "ledger", "--help")).isZero();
    assertThat(lines().getFirst()).startsWith("usage: changes tail|partitions|lineage");
  }

  @Test
  void callsOnThePageAreUnderstood() throws IOException {
    Path page = Path.of(System.getProperty("tidemark.root", ".."), "docs/changes-spanner.md");
    String prompt = "    ./tidemark changes ";
    List<String> calls =
        Files.readAllLines(page).stream()
            .filter(line -> line.startsWith(prompt))
            .map(line -> line.substring(prompt.length()))
            .toList();

    assertThat(calls).hasSizeGreaterThanOrEqualTo(4);
    for (String call : calls) {
      assertThatCode(() -> ChangesArguments.parse(List.of(call.split(" ")), Map.of()).connection())
          .as(call)
          .doesNotThrowAnyException();
    }
  }
}
