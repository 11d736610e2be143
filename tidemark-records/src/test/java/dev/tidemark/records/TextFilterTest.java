package dev.tidemark.records;

import static dev.tidemark.records.PersonFields.AGE;
import static dev.tidemark.records.PersonFields.CITY;
import static dev.tidemark.records.PersonFields.EMAIL;
import static dev.tidemark.records.PersonFields.ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.Explain;
import dev.tidemark.records.query.Filter;
import dev.tidemark.records.query.Query;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.query.Row;
import dev.tidemark.records.query.Selection;
import dev.tidemark.records.query.StopReason;
import dev.tidemark.records.query.TextQuery;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that look for words of texts, with and without an index that has them. */
class TextFilterTest {
  private final Database database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  private RecordStore<Person> open(IndexSpec... indexes) {
    RecordStore<Person> notes =
        RecordSpace.open(
                database,
                Schema.of(1, List.of(Person.TYPE), List.of(indexes)),
                Subspace.of("notes"))
            .store(Person.TYPE);
    save(notes, 1, "Oslo", "The quick brown fox");
    save(notes, 2, "Oslo", "brown and quick");
    save(notes, 3, "Bern", "A quick BROWN bear");
    save(notes, 4, "Bern", null);
    save(notes, 5, "Bern", "");
    return notes;
  }

  private void save(RecordStore<Person> notes, long id, String city, @Nullable String text) {
    database.run(tx -> notes.save(tx, Person.of(id, city, 1).withEmail(text)));
  }

  private List<Long> found(Query<Person> query) {
    return database.read(tx -> query.orderBy(ID).list(tx).stream().map(Person::id).toList());
  }

  private String explained(Query<Person> query) {
    return database.read(tx -> query.explain(tx).toString());
  }

  private static IndexSpec[] indexes(String which) {
    return switch (which) {
      case "none" -> new IndexSpec[] {};
      case "words" -> new IndexSpec[] {Person.index("words", IndexKind.TEXT, "email")};
      default -> new IndexSpec[] {Person.index("words", IndexKind.TEXT, "city", "email")};
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "words", "words by city"})
  void wordsMeanTheSameWhateverIndexThereIs(String which) {
    Query<Person> all = open(indexes(which)).query();
    assertThat(found(all.where(EMAIL.matches(TextQuery.all("Brown quick")))))
        .containsExactly(1L, 2L, 3L);
    assertThat(found(all.where(EMAIL.matches(TextQuery.phrase("quick brown")))))
        .containsExactly(1L, 3L);
    assertThat(found(all.where(EMAIL.matches(TextQuery.any("fox bear missing")))))
        .containsExactly(1L, 3L);
    assertThat(found(all.where(EMAIL.matches(TextQuery.prefix("b"))))).containsExactly(1L, 2L, 3L);
    assertThat(found(all.where(EMAIL.matches(TextQuery.prefix("bea")), CITY.eq("Bern"))))
        .containsExactly(3L);
    assertThat(found(all.where(EMAIL.matches(TextQuery.any("fox bear")), CITY.gt("C"))))
        .containsExactly(1L);
    assertThat(found(all.where(EMAIL.matches(TextQuery.all("fox")).or(CITY.eq("Bern")))))
        .containsExactly(1L, 3L, 4L, 5L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "words"})
  void whatHasNoTextIsNeitherWithNorWithoutAWord(String which) {
    Query<Person> all = open(indexes(which)).query();
    assertThat(found(all.where(EMAIL.matches(TextQuery.all("fox")).not())))
        .containsExactly(2L, 3L, 5L);
    assertThat(found(all.where(EMAIL.matches(TextQuery.phrase("quick brown")).not())))
        .containsExactly(2L, 5L);
    Filter<Person> either = EMAIL.matches(TextQuery.any("fox bear"));
    assertThat(found(all.where(either.not().or(EMAIL.isNull())))).containsExactly(2L, 4L, 5L);
  }

  @Test
  void wordIsReadFromItsIndexAndSeveralAreIntersected() {
    Query<Person> all = open(indexes("words")).query();
    assertThat(explained(all.where(EMAIL.matches(TextQuery.all("fox")))))
        .startsWith("text scan words")
        .contains("range: word of email = 'fox'")
        .doesNotContain("check");
    assertThat(explained(all.where(EMAIL.matches(TextQuery.phrase("quick brown")))))
        .contains("intersection", "word of email = 'quick'", "word of email = 'brown'")
        .contains("check on record: email has the phrase 'quick brown'");
    assertThat(explained(all.where(EMAIL.matches(TextQuery.any("fox bear")))))
        .contains("range: word of email in ('bear', 'fox')");
    assertThat(explained(all.where(EMAIL.matches(TextQuery.prefix("be")))))
        .contains("range: word of email starts with 'be'");
    assertThat(explained(all.where(AGE.eq(1))))
        .contains("index words: the query does not look for words of email");
  }

  @Test
  void searchHasABoundOnItsWords() {
    String thousand = "w%d ".repeat(1_000).formatted(IntStream.range(0, 1_000).boxed().toArray());
    Query<Person> all = open(indexes("words")).query();

    assertThat(explained(all.where(EMAIL.matches(TextQuery.all(thousand))))).contains("'w999'");
    for (Function<String, TextQuery> kind :
        List.<Function<String, TextQuery>>of(TextQuery::all, TextQuery::any, TextQuery::phrase)) {
      assertThatThrownBy(() -> kind.apply(thousand + "more"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has 1,001 words")
          .hasMessageContaining("1,000 at most");
    }
  }

  @Test
  void groupMustBeGivenOrIsSkippedThrough() {
    Query<Person> all = open(indexes("words by city")).query();
    assertThat(explained(all.where(CITY.eq("Oslo"), EMAIL.matches(TextQuery.all("fox")))))
        .contains("range: city = 'Oslo', word of email = 'fox'");
    assertThat(explained(all.where(EMAIL.matches(TextQuery.all("fox")))))
        .startsWith("skip scan words")
        .contains("range: each city, word of email = 'fox'");
    assertThat(explained(all.where(CITY.gt("M"), EMAIL.matches(TextQuery.all("fox")))))
        .startsWith("skip scan words")
        .contains("range: each city, word of email = 'fox'")
        .contains("check on entry: city > 'M'");
  }

  @Test
  void recordsWithAWordAreCountedAndNamedWithoutReadingThem() {
    RecordStore<Person> notes = open(indexes("words"));
    Selection<Person, Row> keys =
        notes.query().where(EMAIL.matches(TextQuery.all("quick"))).select(ID);
    Explain.Node plan = database.read(tx -> keys.explainRun(tx).plan());
    assertThat(plan.what()).isEqualTo("covering text scan");
    assertThat(plan.actual().orElseThrow().keys()).isEqualTo(3);
    assertThat(plan.actual().orElseThrow().rows()).isEqualTo(3);
  }

  @Test
  void queryInsistsOnAnIndexOfWords() {
    Query<Person> all = open(indexes("words")).query().using("words");
    assertThat(found(all.where(EMAIL.matches(TextQuery.all("fox"))))).containsExactly(1L);
    assertThatThrownBy(() -> found(all.where(AGE.eq(1)))).hasMessageContaining("cannot serve it");
    assertThatThrownBy(() -> EMAIL.matches(new TextQuery.All(List.of("\ud800"))))
        .hasMessageContaining("no key can hold");
  }

  @Test
  void sameShapeFindsItsOwnWords() {
    RecordStore<Person> notes = open(indexes("words"));
    for (String word : List.of("fox", "bear", "and", "missing")) {
      List<Long> expected =
          switch (word) {
            case "fox" -> List.of(1L);
            case "bear" -> List.of(3L);
            case "and" -> List.of(2L);
            default -> List.of();
          };
      assertThat(found(notes.query().where(EMAIL.matches(TextQuery.all(word)))))
          .isEqualTo(expected);
    }
  }

  /** Texts of which some have several words that begin so, so that a record has several entries. */
  @Test
  void wordsAreFoundPageByPageUnderAnyLimit() {
    RecordStore<Person> notes = open(indexes("words"));
    for (long id = 10; id < 60; id++) {
      save(notes, id, "Oslo", id % 2 == 0 ? "bread butter bread" : "bread");
    }
    for (QueryLimits limits :
        List.of(QueryLimits.NONE.withRows(1), QueryLimits.NONE.withScannedRows(3))) {
      Query<Person> query = notes.query().where(EMAIL.matches(TextQuery.prefix("b")));
      List<Long> found = new ArrayList<>();
      boolean more = true;
      Continuation at = null;
      while (more) {
        Continuation from = at;
        try (var tx = database.begin()) {
          Cursor<Person> page =
              from == null ? query.cursor(tx, limits) : query.resume(tx, limits, from);
          page.forEachRemaining(person -> found.add(person.id()));
          at = page.continuation();
          more = page.stopReason() != StopReason.EXHAUSTED;
        }
      }
      assertThat(found).doesNotHaveDuplicates().hasSize(53);
    }
  }

  @Test
  void statisticsTellCommonWordsFromRareOnes() {
    RecordStore<Person> notes = open(indexes("words"));
    for (long first = 100; first < 3_100; first += 500) {
      long begin = first;
      database.run(
          tx -> {
            for (long id = begin; id < begin + 500; id++) {
              String text = id % 500 == 0 ? "common rare" : "common other words of notes";
              notes.save(tx, Person.of(id, "Oslo", 1).withEmail(text));
            }
          });
    }
    notes.space().statistics().collect();
    assertThat(explained(notes.query().where(EMAIL.matches(TextQuery.all("common rare")))))
        .startsWith("text scan words")
        .contains("range: word of email = 'rare'")
        .contains("check on record: email has the word 'common'");
    assertThat(explained(notes.query().where(EMAIL.matches(TextQuery.all("common")))))
        .startsWith("full scan");
  }

  @Test
  void textOfSqlAsksForWords() {
    RecordStore<Person> notes = open(indexes("words"));
    String select = "SELECT id FROM Person WHERE email ";
    assertThat(sql(notes, select + "MATCHES 'quick FOX'")).containsExactly(1L);
    assertThat(sql(notes, select + "matches all 'brown and'")).containsExactly(2L);
    assertThat(sql(notes, select + "MATCHES ANY 'fox bear'")).containsExactly(1L, 3L);
    assertThat(sql(notes, select + "MATCHES PHRASE 'quick brown'")).containsExactly(1L, 3L);
    assertThat(sql(notes, select + "MATCHES PREFIX 'bea'")).containsExactly(3L);
    assertThat(sql(notes, select + "NOT MATCHES 'fox'")).containsExactly(2L, 3L, 5L);
    assertThatThrownBy(() -> sql(notes, "SELECT id FROM Person WHERE age MATCHES 'x'"))
        .hasMessageContaining("MATCHES is asked of texts");
    assertThatThrownBy(() -> sql(notes, select + "MATCHES SOME 'x'"))
        .hasMessageContaining("ALL, ANY, PHRASE or PREFIX");
    assertThatThrownBy(() -> sql(notes, select + "MATCHES '!'")).hasMessageContaining("no words");
    assertThatThrownBy(() -> sql(notes, select + "MATCHES PREFIX 'a b'"))
        .isInstanceOf(SqlException.class)
        .hasMessageContaining("is 2 words");
  }

  private List<Object> sql(RecordStore<Person> notes, String text) {
    return database.read(
        tx ->
            notes.space().sql(tx, text + " ORDER BY id").rows().stream()
                .map(List::getFirst)
                .toList());
  }
}
