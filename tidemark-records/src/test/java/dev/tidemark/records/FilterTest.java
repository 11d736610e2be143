package dev.tidemark.records;

import static dev.tidemark.records.PersonFields.AGE;
import static dev.tidemark.records.PersonFields.ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.query.Filter;
import dev.tidemark.records.schema.Schema;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Filters that programs put together in loops. */
class FilterTest {
  @Test
  void chainOfThousandsIsAnsweredLikeAListOfThem() {
    Filter<Person> chain = ID.eq(-1L);
    for (long id = 0; id < 5_000; id += 2) {
      chain = chain.or(ID.eq(id));
    }
    Filter<Person> wanted = chain;
    try (Database database = EmbeddedDatabase.inMemory()) {
      Schema schema = Schema.of(1, List.of(Person.TYPE), List.of());
      RecordStore<Person> people =
          RecordSpace.open(database, schema, Subspace.of("people")).store(Person.TYPE);
      database.run(
          tx -> {
            for (long id = 0; id < 100; id++) {
              people.save(tx, Person.of(id, "Oslo", 1));
            }
          });

      long found = database.read(tx -> people.query().where(wanted).count(tx));

      assertThat(found).isEqualTo(50);
    }
  }

  @Test
  void joinsOfTheSameKindAreOneJoin() {
    Filter<Person> a = AGE.eq(1);
    Filter<Person> b = AGE.eq(2);
    Filter<Person> c = AGE.eq(3);

    assertThat(a.and(b).and(c)).isEqualTo(a.and(b.and(c))).isEqualTo(Filter.all(a, b, c));
    assertThat(a.or(b).or(c)).isEqualTo(a.or(b.or(c))).isEqualTo(Filter.any(a, b, c));
    assertThat(a.or(b).and(c)).isNotEqualTo(a.or(b.and(c)));
  }

  @Test
  void filterThatGrowsDeeperWithoutEndIsRefused() {
    assertThatThrownBy(
            () -> {
              Filter<Person> deep = AGE.eq(0);
              for (int i = 0; i < 100_000; i++) {
                deep = deep.not().or(AGE.eq(i));
              }
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Filter.any");
  }
}
