package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.maintenance.Migrations;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.query.BulkOptions;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.Schema;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A duration beyond the 292 years that a long of nanoseconds holds means no limit. */
class EndlessDurationsTest {
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
  private final Database database = EmbeddedDatabase.inMemory();
  private RecordSpace space;
  private RecordStore<Person> people;

  @BeforeEach
  void fill() {
    Schema schema =
        Schema.of(
            1, List.of(Person.TYPE), List.of(Person.index("by_city", IndexKind.VALUE, "city")));
    space = RecordSpace.open(database, schema, Subspace.of("forever"));
    people = space.store(Person.TYPE);
    database.run(tx -> people.save(tx, Person.of(1, "Oslo", 30)));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void queryMayTakeAnyTime() {
    QueryLimits limits = QueryLimits.NONE.withTime(FOREVER);
    database.run(tx -> assertThat(people.query().cursor(tx, limits).next().id()).isEqualTo(1));
  }

  @Test
  void limitMustBePositive() {
    assertThatThrownBy(() -> QueryLimits.NONE.withTime(Duration.ZERO))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("Limits must be positive");
    assertThatThrownBy(() -> QueryLimits.NONE.withTime(FOREVER.negated()))
        .isInstanceOf(UsageException.class);
  }

  @Test
  void statisticsNeedNeverBecomeStale() {
    assertThat(
            space
                .statistics()
                .collect(o -> o.withTimePerTransaction(FOREVER))
                .part("by_city")
                .orElseThrow()
                .rows())
        .isEqualTo(1);
    assertThat(space.statistics().refreshIfStale(o -> o.withStale(0.3, FOREVER))).isFalse();
  }

  @Test
  void migrationMayWaitAndHoldItsLeaseForAnyTime() {
    Migrations.of(space)
        .transform("older", Person.TYPE, person -> person.withScore(7))
        .run(o -> o.withPatience(FOREVER).withLease(FOREVER));
    assertThat(database.read(tx -> people.load(tx, 1L)).orElseThrow().score()).isEqualTo(7);
  }

  @Test
  void batchesMayTakeAnyTime() {
    database.run(tx -> space.indexes().disable(tx, "by_city"));
    try (OnlineIndexer indexer =
        OnlineIndexer.of(space, o -> o.withIndexes("by_city").withTimePerTransaction(FOREVER))) {
      assertThat(indexer.build().complete()).isTrue();
    }
    assertThat(
            people.query().delete(BulkOptions.DEFAULTS.withTimePerTransaction(FOREVER)).changed())
        .isEqualTo(1);
  }
}
