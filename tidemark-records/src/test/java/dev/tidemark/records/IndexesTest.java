package dev.tidemark.records;

import static dev.tidemark.records.BuildFixture.BY_CITY;
import static dev.tidemark.records.BuildFixture.COUNT;
import static dev.tidemark.records.BuildFixture.COUNT_BY_CITY;
import static dev.tidemark.records.BuildFixture.EMAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Transaction;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.Indexes;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.query.IndexRange;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.testkit.faults.FaultyDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The states of indexes. */
@Timeout(60)
class IndexesTest {
  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final BuildFixture fixture = new BuildFixture(database);
  private final Indexes indexes = fixture.space.indexes();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void newStoreHasReadableIndexes() {
    assertThat(database.read(indexes::states).values()).containsOnly(IndexState.READABLE);
    assertThat(database.read(indexes::states).keySet())
        .containsExactlyElementsOf(
            BuildFixture.SCHEMA.indexes().stream().map(IndexSpec::name).toList());
  }

  @Test
  void disabledIndexHasNoKeyUnderAnyPrefixAndIsKeptNoLonger() {
    fixture.fill(100);
    fixture.disable(
        BuildFixture.SCHEMA.indexes().stream().map(IndexSpec::name).toArray(String[]::new));
    assertThat(fixture.leftovers()).isEmpty();

    database.run(tx -> fixture.people.save(tx, BuildFixture.person(200)));
    assertThat(fixture.leftovers()).isEmpty();
  }

  @Test
  void disabledIndexCannotBeMadeReadable() {
    fixture.disable(BY_CITY);
    assertThatThrownBy(() -> database.run(tx -> indexes.makeReadable(tx, BY_CITY)))
        .isInstanceOf(IndexStateException.class)
        .hasMessageContaining(BY_CITY)
        .hasMessageContaining("disabled");
  }

  @Test
  void unfinishedIndexIsRefusedWithTheFirstRangeThatIsMissing() {
    fixture.fill(300);
    fixture.disable(COUNT_BY_CITY);
    Kill kill = Kill.after(3);
    FaultyDatabase mortal = FaultyDatabase.over(database, kill);
    BuildFixture killed = new BuildFixture(mortal);
    kill.arm(mortal.commits());
    try (OnlineIndexer indexer =
        OnlineIndexer.of(
            killed.space,
            o -> o.withIndexes(COUNT_BY_CITY).withWorkers(1).withRecordsPerTransaction(100))) {
      assertThatThrownBy(indexer::build).isInstanceOf(Kill.Killed.class);
    }

    assertThatThrownBy(() -> database.run(tx -> indexes.makeReadable(tx, COUNT_BY_CITY)))
        .isInstanceOf(IndexStateException.class)
        .hasMessageContaining(COUNT_BY_CITY)
        .hasMessageContaining(
            database.read(tx -> indexes.firstMissing(tx, COUNT_BY_CITY)).orElseThrow().toString());
    assertThat(fixture.state(COUNT_BY_CITY)).isEqualTo(IndexState.WRITE_ONLY);
  }

  @Test
  void countThatWasReadableCountsOnWhileItIsWriteOnly() {
    fixture.fill(100);
    database.run(tx -> indexes.makeWriteOnly(tx, COUNT_BY_CITY));
    database.run(tx -> indexes.makeWriteOnly(tx, COUNT));
    database.run(tx -> fixture.people.save(tx, BuildFixture.person(500)));
    database.run(tx -> fixture.people.delete(tx, 50L));
    database.run(tx -> fixture.people.save(tx, BuildFixture.person(51).withCity("moved")));

    database.run(tx -> indexes.makeReadable(tx, COUNT_BY_CITY));
    database.run(tx -> indexes.makeReadable(tx, COUNT));

    fixture.assertRight(COUNT, COUNT_BY_CITY);
    assertThat(fixture.state(COUNT)).isEqualTo(IndexState.READABLE);
  }

  @Test
  void writerThatDecidedByAnOldStateConflicts() {
    fixture.disable(BY_CITY);
    try (Transaction writer = database.begin()) {
      fixture.people.save(writer, BuildFixture.person(1));
      database.run(tx -> indexes.makeWriteOnly(tx, BY_CITY));
      assertThatThrownBy(writer::commit).isInstanceOf(ConflictException.class);
    }
  }

  @Test
  void changeOfStateThatIsNotCommittedIsSeenByItsTransactionOnly() {
    try (Transaction tx = database.begin()) {
      indexes.disable(tx, BY_CITY);
      assertThat(indexes.state(tx, BY_CITY)).isEqualTo(IndexState.DISABLED);
    }
    assertThat(fixture.state(BY_CITY)).isEqualTo(IndexState.READABLE);
  }

  @Test
  void duplicateIsRefusedWhileAUniqueIndexIsWriteOnly() {
    fixture.fill(10);
    database.run(tx -> indexes.makeWriteOnly(tx, EMAIL));
    assertThatThrownBy(
            () ->
                database.run(
                    tx ->
                        fixture.people.save(
                            tx, BuildFixture.person(20).withEmail("p3@example.com"))))
        .isInstanceOf(UniquenessException.class);
    database.run(tx -> indexes.makeReadable(tx, EMAIL));
    fixture.assertRight(EMAIL);
  }

  @Test
  void writeOnlyIndexIsNotRead() {
    fixture.fill(10);
    database.run(tx -> indexes.makeWriteOnly(tx, BY_CITY));
    database.run(tx -> indexes.makeWriteOnly(tx, COUNT_BY_CITY));

    assertThatThrownBy(
            () ->
                database.read(tx -> fixture.people.scanIndex(tx, BY_CITY, IndexRange.ALL).toList()))
        .isInstanceOf(IndexStateException.class)
        .hasMessageContaining(BY_CITY);
    assertThatThrownBy(() -> database.read(tx -> fixture.people.count(tx, COUNT_BY_CITY, "city-1")))
        .isInstanceOf(IndexStateException.class)
        .hasMessageContaining(COUNT_BY_CITY);
  }

  @Test
  void unknownIndexIsRefusedByName() {
    assertThatThrownBy(() -> database.run(tx -> indexes.disable(tx, "nobody")))
        .isInstanceOf(RuntimeException.class)
        .hasMessageContaining("nobody");
  }
}
