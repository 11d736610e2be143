package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.internal.statistics.KeyStatistics;
import dev.tidemark.records.internal.statistics.SpaceStatistics;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.Schema;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stores in directories of their own. */
class TenancyTest {
  private static final Schema SCHEMA =
      Schema.of(
          1,
          List.of(Person.TYPE),
          List.of(
              Person.index("person_email", IndexKind.VALUE, "email").asUnique(false),
              Person.index("person_count", IndexKind.COUNT)));

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void tenantsDoNotSeeOrTouchEachOther() {
    RecordStore<Person> one = open("one");
    RecordStore<Person> two = open("two");
    database.run(tx -> two.save(tx, Person.of(1, "Tokyo", 1)));
    List<KeyValue> before = contents("two");

    database.run(
        tx -> {
          one.save(tx, Person.of(1, "Kyoto", 2));
          one.save(tx, Person.of(2, "Osaka", 2));
          one.delete(tx, 2L);
        });
    List<Person> seen = database.read(tx -> one.scan(tx).toList());
    assertThat(seen).containsExactly(Person.of(1, "Kyoto", 2));
    assertThat(contents("two")).isEqualTo(before);

    DirectoryLayer.DEFAULT.remove(database, "tenants", "one");
    assertThat(contents("two")).isEqualTo(before);
    List<Person> kept = database.read(tx -> two.scan(tx).toList());
    assertThat(kept).containsExactly(Person.of(1, "Tokyo", 1));
  }

  /** The metadata version is that of the whole database. */
  @Test
  void plansAndStatisticsOfATenantSurviveAChangeOfAnother() {
    RecordStore<Person> one = open("one");
    RecordStore<Person> two = open("two");
    database.run(tx -> one.save(tx, Person.of(1, "Kyoto", 2)));
    one.space().statistics().collect();
    SpaceState known = state(one);
    Optional<Double> rows = rows(one);

    database.run(tx -> two.space().indexes().disable(tx, "person_count"));
    two.space().statistics().collect();
    assertThat(state(one)).isSameAs(known);
    assertThat(rows(one)).isEqualTo(rows).contains(1.0);

    database.run(tx -> one.save(tx, Person.of(2, "Kyoto", 2)));
    one.space().statistics().collect();
    assertThat(state(one)).isNotSameAs(known);
    assertThat(rows(one)).contains(2.0);
    SpaceState collected = state(one);
    database.run(tx -> one.space().indexes().disable(tx, "person_count"));
    assertThat(state(one)).isNotSameAs(collected);
  }

  private SpaceState state(RecordStore<Person> tenant) {
    return database.read(tenant.space().internals()::state);
  }

  private Optional<Double> rows(RecordStore<Person> tenant) {
    return database.read(
        tx ->
            SpaceStatistics.of(tenant.space().internals(), tx)
                .type("Person")
                .map(KeyStatistics::rows));
  }

  @Test
  void storeWhoseDirectoryIsRemovedTakesNoMoreRecords() {
    RecordStore<Person> one = open("one");
    database.run(tx -> one.save(tx, Person.of(1, "Kyoto", 2)));
    DirectoryLayer.DEFAULT.remove(database, "tenants", "one");

    assertThatThrownBy(() -> database.run(tx -> one.save(tx, Person.of(2, "Kyoto", 2))))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("gone");
    RecordStore<Person> again = open("one");
    database.run(tx -> again.save(tx, Person.of(3, "Kyoto", 3)));
    List<Person> all = database.read(tx -> again.scan(tx).toList());
    assertThat(all).containsExactly(Person.of(3, "Kyoto", 3));
  }

  @Test
  void storeCannotBeThePartitionItself() {
    assertThatThrownBy(
            () ->
                RecordSpace.open(database, SCHEMA, List.of("tenants", "x"), 2, options -> options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must go on behind it");
  }

  private RecordStore<Person> open(String tenant) {
    return RecordSpace.open(
            database, SCHEMA, List.of("tenants", tenant, "people"), 2, options -> options)
        .store(Person.TYPE);
  }

  private List<KeyValue> contents(String tenant) {
    KeyRange range =
        DirectoryLayer.DEFAULT
            .open(database, LayerId.NONE, "tenants", tenant, "people")
            .subspace()
            .prefixRange();
    return database.read(tx -> tx.scan(range).list());
  }
}
