package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.schema.Schema;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordMetricsTest {
  @Test
  void thereIsAMeterForEachNumberAndItShowsIt() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory()) {
      RecordSpace space =
          RecordSpace.open(
              database, Schema.of(1, List.of(Person.TYPE), List.of()), Subspace.of("people"));
      RecordSpace other =
          RecordSpace.open(
              database, Schema.of(1, List.of(Person.TYPE), List.of()), Subspace.of("others"));
      new RecordMetrics(space, "people").bindTo(registry);
      new RecordMetrics(other, "others").bindTo(registry);
      RecordStore<Person> people = space.store(Person.TYPE);
      database.run(
          tx -> {
            people.save(tx, Person.of(1, "Oslo", 1));
            people.save(tx, Person.of(2, "Oslo", 1));
            people.save(tx, Person.of(3, "Oslo", 1));
            people.load(tx, 1L);
            people.load(tx, 2L);
            people.delete(tx, 1L);
            people.query().where(PersonFields.CITY.eq("Oslo")).list(tx);
          });

      Map<String, Long> numbers = SpaceActivityTest.numbers(space.activity());
      assertThat(numbers)
          .containsEntry("saved", 3L)
          .containsEntry("loaded", 2L)
          .containsEntry("deleted", 1L)
          .containsEntry("plansMade", 1L);
      numbers.forEach(
          (name, value) -> {
            String meter =
                "tidemark.records." + name.replaceAll("([A-Z])", ".$1").toLowerCase(Locale.ROOT);
            assertThat(registry.get(meter).tag("space", "people").functionCounter().count())
                .as(meter)
                .isEqualTo((double) value);
            assertThat(registry.get(meter).tag("space", "others").functionCounter().count())
                .as(meter + " of another space")
                .isZero();
          });
      assertThat(registry.getMeters()).hasSize(2 * numbers.size());
    }
  }
}
