package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The vectors of docs/formats/records.md are what the code writes. */
class RecordFormatTest {
  private static final Subspace ROOT = Subspace.of(7);
  private static final Pattern ROW =
      Pattern.compile("\\| `(1507[0-9a-fs]*)` \\| `?([0-9a-fs]*)`? ?\\|.*");

  private static final Schema SCHEMA =
      People.schema(
          People.VERSIONED,
          Person.index("city_age", IndexKind.VALUE, "city", "age")
              .withCovering(List.of(Person.column("score"))),
          People.descending("oldest", IndexKind.VALUE, "age"),
          Person.index("count", IndexKind.COUNT),
          Person.index("count_age", IndexKind.COUNT_NOT_NULL, "city", "age"),
          Person.index("updates", IndexKind.COUNT_UPDATES, "city"),
          Person.index("sum", IndexKind.SUM, "city", "age"),
          Person.index("min", IndexKind.MIN, "city", "age"),
          Person.index("max_ever", IndexKind.MAX_EVER, "city", "age"),
          Person.index("average", IndexKind.AVERAGE, "city", "age"),
          Person.index("rank", IndexKind.RANK, "age"),
          Person.index("version", IndexKind.VERSION, "city"),
          Person.index("words", IndexKind.TEXT, "city"));

  @Test
  void rowsAreThoseOfTheFormatPage() throws IOException {
    assertThat(rows()).containsExactlyElementsOf(page());
  }

  private static List<String> rows() {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory()) {
      RecordStore<Person> people = RecordSpace.open(database, SCHEMA, ROOT).store(People.VERSIONED);
      database.run(
          tx -> {
            people.save(tx, person(1, "Oslo", -30));
            people.save(tx, person(24, "Oslo", 5));
            people.save(tx, person(3, null, null));
          });
      return database.read(tx -> rows(tx, people));
    }
  }

  private static Person person(long id, @Nullable String city, @Nullable Integer age) {
    return new Person(id, null, city, age, 300, 0.5, List.of(), null, null);
  }

  /** All rows but the header and the schema; the ten bytes that the commit chose are written s. */
  private static List<String> rows(ReadTransaction tx, RecordStore<Person> people) {
    byte[] stamp = people.version(tx, 1L).orElseThrow().toByteArray();
    String commit = HexFormat.of().formatHex(stamp, 0, 10);
    List<String> rows = new ArrayList<>();
    for (int part : new int[] {1, 2, 3, 9}) {
      for (KeyValue row : tx.scan(ROOT.sub(part).prefixRange())) {
        String value = HexFormat.of().formatHex(row.value());
        rows.add((row.key().toHex() + " " + value).replace(commit, "s".repeat(commit.length())));
      }
    }
    return rows;
  }

  private static List<String> page() throws IOException {
    Path file = Path.of(System.getProperty("tidemark.root"), "docs/formats/records.md");
    return Files.readAllLines(file).stream()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(row -> row.group(1) + " " + row.group(2))
        .toList();
  }
}
