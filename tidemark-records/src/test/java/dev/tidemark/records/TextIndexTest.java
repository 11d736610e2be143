package dev.tidemark.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.internal.IndexContents;
import dev.tidemark.records.internal.Recount;
import dev.tidemark.records.internal.format.Header.IndexInfo;
import dev.tidemark.records.internal.index.TextWords;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.query.TextQuery;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Indexes of the words of a text; here the text is in the field for a mail address. */
class TextIndexTest {
  private static final String WORDS = "words";
  private static final String BY_CITY = "words_by_city";

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final RecordSpace space =
      RecordSpace.open(
          database,
          Schema.of(
              1,
              List.of(Person.TYPE),
              List.of(
                  Person.index(WORDS, IndexKind.TEXT, "email"),
                  Person.index(BY_CITY, IndexKind.TEXT, "city", "email"))),
          Subspace.of("notes"));
  private final RecordStore<Person> notes = space.store(Person.TYPE);

  @AfterEach
  void close() {
    database.close();
  }

  private void save(long id, @Nullable String city, @Nullable String text) {
    Person person = Person.of(id, city, 1);
    database.run(tx -> notes.save(tx, text == null ? person : person.withEmail(text)));
  }

  private List<Long> found(String index, TextQuery query, @Nullable Object... group) {
    return database.read(tx -> notes.search(tx, index, query, group).map(Person::id).toList());
  }

  @Test
  void textIsCutIntoSmallWordsAndIdeographs() {
    assertThat(TextWords.of("The QUICK-brown_fox, it's 42!"))
        .containsExactly("the", "quick", "brown", "fox", "it", "s", "42");
    assertThat(TextWords.of("Cafe\u0301 caf\u00e9 \ufb01ne"))
        .containsExactly("café", "café", "fine");
    assertThat(TextWords.of("東京 Tokyo")).containsExactly("東", "京", "tokyo");
    assertThat(TextWords.of("x".repeat(300))).containsExactly("x".repeat(100));
    assertThat(TextWords.of(" ,; ")).isEmpty();
  }

  /** The golden sum was made with the tables of Java 25, which knows Unicode 16.0. */
  @Test
  void charactersOfUnicode15AreCutAlikeByEveryRuntime() {
    CRC32C sum = new CRC32C();
    for (int character = 0; character < Character.MIN_SURROGATE; character++) {
      sum.update(
          TextWords.of("a" + Character.toString(character) + "b").toString().getBytes(UTF_8));
    }
    for (int character = 0xf900; character <= 0x3ffff; character++) {
      sum.update(
          TextWords.of("a" + Character.toString(character) + "b").toString().getBytes(UTF_8));
    }
    assertThat(sum.getValue()).isEqualTo(1_334_350_522L);
  }

  @Test
  void lettersThatUnicode15DoesNotHavePartWords() {
    assertThat(TextWords.of("a\ua7cbb a\u1c89b")).containsExactly("a", "b", "a", "b");
    assertThat(TextWords.of("a\ua7cab")).containsExactly("a\ua7cab");
    assertThat(TextWords.of("\ud83f\udffd x"))
        .as("a place without a character")
        .containsExactly("x");
  }

  /** Entries of an earlier build are removed as they were made. */
  @Test
  void wordsOfAnEarlierBuildAreRemovedWithTheirRecords() {
    Space inner = space.internals();
    database.run(tx -> inner.change(tx, inner.state(tx).header().with(WORDS, TextIndexTest::old)));
    save(1, "Oslo", "a\ua7cbb");
    assertThat(words()).isNotEmpty();
    database.run(tx -> notes.delete(tx, 1L));
    assertThat(words()).isEmpty();
  }

  private static IndexInfo old(IndexInfo info) {
    return new IndexInfo(info.id(), info.state(), info.since(), 0);
  }

  private Map<String, String> words() {
    return database.read(tx -> IndexContents.rows(space.internals(), tx, WORDS));
  }

  @Test
  void recordsAreFoundByWordsPhrasesAndBegins() {
    save(1, "Oslo", "The quick brown fox");
    save(2, "Oslo", "brown and quick");
    save(3, "Bern", "A quick BROWN bear");
    save(4, "Bern", null);

    assertThat(found(WORDS, TextQuery.all("brown quick"))).containsExactly(1L, 2L, 3L);
    assertThat(found(WORDS, TextQuery.phrase("Quick Brown"))).containsExactly(1L, 3L);
    assertThat(found(WORDS, TextQuery.any("fox bear missing"))).containsExactly(1L, 3L);
    assertThat(found(WORDS, TextQuery.prefix("b"))).containsExactly(1L, 2L, 3L);
    assertThat(found(WORDS, TextQuery.prefix("bea"))).containsExactly(3L);
    assertThat(found(WORDS, TextQuery.all("brown missing"))).isEmpty();
    assertThat(found(BY_CITY, TextQuery.all("brown"), "Oslo")).containsExactly(1L, 2L);
    assertThat(found(BY_CITY, TextQuery.phrase("quick brown"), "Bern")).containsExactly(3L);
  }

  @Test
  void phraseMayRepeatAWord() {
    save(1, null, "so so good");
    save(2, null, "so good so");
    save(3, null, "good so so so");

    assertThat(found(WORDS, TextQuery.phrase("so so"))).containsExactly(1L, 3L);
    assertThat(found(WORDS, TextQuery.phrase("so so so"))).containsExactly(3L);
  }

  @Test
  void wordsOfTextsThatAreChangedOrDeletedAreGone() {
    save(1, "Oslo", "old words");
    save(1, "Bern", "new words");
    assertThat(found(WORDS, TextQuery.all("old"))).isEmpty();
    assertThat(found(BY_CITY, TextQuery.all("words"), "Oslo")).isEmpty();
    assertThat(found(BY_CITY, TextQuery.all("words"), "Bern")).containsExactly(1L);

    database.run(tx -> notes.delete(tx, 1L));
    assertThat(found(WORDS, TextQuery.all("words"))).isEmpty();
    Recount.check(space.internals());
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> TextQuery.all(" - ")).hasMessageContaining("no words");
    assertThatThrownBy(() -> TextQuery.prefix("two words")).hasMessageContaining("is 2 words");
    assertThatThrownBy(() -> found(BY_CITY, TextQuery.all("x")))
        .hasMessageContaining("Missing: [city]");
    RecordSpace plain =
        RecordSpace.open(
            database,
            Schema.of(
                1, List.of(Person.TYPE), List.of(Person.index("city", IndexKind.VALUE, "city"))),
            Subspace.of("plain"));
    assertThatThrownBy(
            () ->
                database.read(
                    tx -> plain.store(Person.TYPE).search(tx, "city", TextQuery.all("x")).toList()))
        .hasMessageContaining("indexes of kind TEXT");
  }

  /** Ten words make many texts that share some. */
  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 5)
  void searchFindsWhatALookAtEveryTextFinds(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<Long, List<String>> texts = new TreeMap<>();
    for (int i = 0; i < 150; i++) {
      long id = random.nextInt(100);
      List<String> text = words(random, random.nextInt(12));
      texts.put(id, text);
      save(id, null, String.join(" ", text));
      if (random.nextInt(5) == 0) {
        long gone = random.nextInt(100);
        texts.remove(gone);
        database.run(tx -> notes.delete(tx, gone));
      }
    }
    for (int i = 0; i < 60; i++) {
      List<String> asked = words(random, 1 + random.nextInt(3));
      String text = String.join(" ", asked);
      assertThat(found(WORDS, TextQuery.all(text)))
          .isEqualTo(having(texts, each -> each.containsAll(asked)));
      assertThat(found(WORDS, TextQuery.any(text)))
          .isEqualTo(having(texts, each -> !Collections.disjoint(each, asked)));
      assertThat(found(WORDS, TextQuery.phrase(text)))
          .isEqualTo(having(texts, each -> Collections.indexOfSubList(each, asked) >= 0));
      String start = asked.getFirst().substring(0, 1 + random.nextInt(2));
      assertThat(found(WORDS, TextQuery.prefix(start)))
          .isEqualTo(having(texts, each -> each.stream().anyMatch(word -> word.startsWith(start))));
    }
    Recount.check(space.internals());
  }

  private static List<String> words(SplittableRandom random, int count) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      words.add("w" + random.nextInt(10) + "x".repeat(random.nextInt(2)));
    }
    return words;
  }

  private static List<Long> having(
      Map<Long, List<String>> texts, Predicate<List<String>> condition) {
    return texts.entrySet().stream()
        .filter(text -> condition.test(text.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }
}
