package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Subspace;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Saves, loads and deletes. */
class RecordStoreTest {
  private static final Schema SCHEMA =
      Schema.of(
          1,
          List.of(Person.TYPE),
          List.of(
              Person.index("person_email", IndexKind.VALUE, "email").asUnique(false),
              Person.index("person_city_age", IndexKind.VALUE, "city", "age"),
              Person.index("person_count_by_city", IndexKind.COUNT, "city")));

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final RecordStore<Person> people =
      RecordSpace.open(database, SCHEMA, Subspace.of("people")).store(Person.TYPE);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void savedRecordIsLoadedEqualInAnotherTransaction() {
    Person person =
        new Person(
            -7,
            null,
            "Tokyo",
            null,
            3,
            -0.0,
            List.of("a", "b"),
            new Person.Address(null, "1"),
            null);
    database.run(tx -> people.save(tx, person));

    Optional<Person> loaded = database.transact(tx -> people.load(tx, -7L));
    assertThat(loaded).contains(person);
  }

  @Test
  void secondOwnerOfAUniqueValueIsRefused() {
    database.run(tx -> people.save(tx, Person.of(1, "Tokyo", 30)));

    assertThatThrownBy(
            () ->
                database.run(
                    tx -> people.save(tx, Person.of(2, "Kyoto", 3).withEmail("p1@example.com"))))
        .isInstanceOf(UniquenessException.class)
        .hasMessageContaining("(1)")
        .hasMessageContaining("(2)");
  }

  @Test
  void deletedRecordLeavesNothingBehind() {
    database.run(tx -> people.save(tx, Person.of(1, "Tokyo", 30)));

    assertThat(database.<Boolean, RuntimeException>transact(tx -> people.delete(tx, 1L))).isTrue();
    assertThat(database.<Boolean, RuntimeException>transact(tx -> people.delete(tx, 1L))).isFalse();
    List<Person> left = database.transact(tx -> people.scan(tx).toList());
    assertThat(left).isEmpty();
  }
}
