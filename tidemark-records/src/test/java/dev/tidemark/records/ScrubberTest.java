package dev.tidemark.records;

import static dev.tidemark.records.BuildFixture.BY_CITY;
import static dev.tidemark.records.BuildFixture.BY_CITY_COVERING;
import static dev.tidemark.records.BuildFixture.BY_TAG;
import static dev.tidemark.records.BuildFixture.COUNT;
import static dev.tidemark.records.BuildFixture.COUNT_BY_CITY;
import static dev.tidemark.records.BuildFixture.EMAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.IndexContents;
import dev.tidemark.records.maintenance.Finding;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.ScrubOptions;
import dev.tidemark.records.maintenance.ScrubOptions.Mode;
import dev.tidemark.records.maintenance.ScrubReport;
import dev.tidemark.records.maintenance.Scrubber;
import dev.tidemark.records.maintenance.Violation;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Scrubs of indexes that were damaged behind the back of the store. */
@Timeout(120)
class ScrubberTest {
  private static final String[] ALL = {
    BY_CITY, BY_CITY_COVERING, BY_TAG, EMAIL, COUNT, COUNT_BY_CITY
  };

  private final Database database = open();
  private final BuildFixture fixture = new BuildFixture(database);

  /** Another store, for those who run these tests on it. */
  Database open() {
    return TestStores.inMemory();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private ScrubReport scrub(UnaryOperator<ScrubOptions> change) {
    return Scrubber.of(fixture.space, change).run();
  }

  private Subspace entries(String index) {
    return database.read(tx -> IndexContents.keys(fixture.space.internals(), tx, index).entries());
  }

  private List<Key> rows(String index) {
    return database.read(
        tx -> tx.scan(entries(index).prefixRange()).stream().map(KeyValue::key).toList());
  }

  @Test
  void soundIndexesAreFoundSound() {
    fixture.fill(500);

    ScrubReport report = scrub(o -> o);

    assertThat(report.wrong()).isZero();
    assertThat(report.complete()).isTrue();
    assertThat(report.scanned()).isGreaterThan(5 * 500);
    fixture.assertRight(ALL);
  }

  @Test
  void indexesThatTellOfThePastAreNamedWithTheReason() {
    Schema schema =
        Schema.of(
            1,
            List.of(Person.TYPE),
            List.of(
                Person.index("updates", IndexKind.COUNT_UPDATES, "city"),
                Person.index("oldest_ever", IndexKind.MAX_EVER, "city", "age"),
                Person.index("by_age", IndexKind.VALUE, "age")));
    RecordSpace space = RecordSpace.open(database, schema, Subspace.of("past"));

    ScrubReport report = Scrubber.of(space, o -> o).run();

    assertThat(report.complete()).isTrue();
    assertThat(report.unchecked())
        .extracting(ScrubReport.Unchecked::index)
        .containsExactly("updates", "oldest_ever");
    assertThat(report.unchecked().getFirst().reason()).contains("counts saves");
    assertThat(report.unchecked().getLast().reason()).contains("had once");
  }

  @Test
  void missingAndDanglingEntriesAreCountedExactlyAndLeftAlone() {
    fixture.fill(300);
    damageEntries();
    List<Key> before = rows(BY_CITY);

    ScrubReport report = scrub(o -> o.withIndexes(BY_CITY).withRowsPerTransaction(37));

    assertThat(report.missing()).isEqualTo(3);
    assertThat(report.dangling()).isEqualTo(4);
    assertThat(report.wrong()).isEqualTo(7);
    assertThat(report.repaired()).isZero();
    assertThat(rows(BY_CITY)).isEqualTo(before);
  }

  private void damageEntries() {
    Subspace entries = entries(BY_CITY);
    List<Key> rows = rows(BY_CITY);
    database.run(
        tx -> {
          tx.clear(rows.get(0));
          tx.clear(rows.get(100));
          tx.clear(rows.get(299));
          tx.set(entries.pack("city-1", 5_000), new byte[0]);
          tx.set(entries.pack("nowhere", 5_001), new byte[0]);
          tx.set(entries.pack("short"), new byte[0]);
          tx.set(entries.prefix().append((byte) 0xfe, (byte) 3), new byte[0]);
        });
  }

  @Test
  void repairedIndexIsRightAndTheNextScrubFindsNothing() {
    fixture.fill(300);
    damageEntries();

    ScrubReport report = scrub(o -> o.withIndexes(BY_CITY).withMode(Mode.REPAIR));

    assertThat(report.repaired()).isEqualTo(7);
    assertThat(scrub(o -> o.withIndexes(BY_CITY)).wrong()).isZero();
    fixture.assertRight(BY_CITY);
  }

  private Key entryOfThree() {
    return rows(EMAIL).stream()
        .filter(key -> entries(EMAIL).unpack(key).getLong(1) == 3)
        .findFirst()
        .orElseThrow();
  }

  /** While the entry was lost, the unique value could be taken once more. */
  @Test
  void repairOfAUniqueIndexNotesValuesThatTwoRecordsHave() {
    fixture.fill(20);
    Key lost = entryOfThree();
    database.run(tx -> tx.clear(lost));
    Person second = BuildFixture.person(1_000).withEmail(BuildFixture.person(3).email());
    database.run(tx -> fixture.people.save(tx, second));

    ScrubReport report = scrub(o -> o.withIndexes(EMAIL).withMode(Mode.REPAIR));

    assertThat(report.missing()).isEqualTo(1);
    assertThat(fixture.state(EMAIL)).isEqualTo(IndexState.READABLE_UNIQUE_PENDING);
    List<Violation> violations =
        database.read(tx -> fixture.space.indexes().violations(tx, EMAIL, 10));
    assertThat(violations)
        .singleElement()
        .extracting(Violation::primaryKeys)
        .isEqualTo(List.of(Tuple.of(3L), Tuple.of(1_000L)));
  }

  @Test
  void repairedUniqueIndexIsNotPendingForARowThatBelongedToNobody() {
    fixture.fill(20);
    Key lost = entryOfThree();
    Key nobodys = entries(EMAIL).pack(entries(EMAIL).unpack(lost).getString(0), 5_000L);
    database.run(
        tx -> {
          tx.clear(lost);
          tx.set(nobodys, new byte[0]);
        });

    ScrubReport first = scrub(o -> o.withIndexes(EMAIL).withMode(Mode.REPAIR).withRowsMax(20));
    assertThat(first.complete()).isFalse();
    assertThat(fixture.state(EMAIL)).isEqualTo(IndexState.READABLE_UNIQUE_PENDING);
    ScrubReport second = scrub(o -> o.withIndexes(EMAIL).withMode(Mode.REPAIR));

    assertThat(List.of(first.missing(), second.dangling())).containsExactly(1L, 1L);
    assertThat(fixture.state(EMAIL)).isEqualTo(IndexState.READABLE);
    fixture.assertRight(EMAIL);
  }

  @Test
  void staleEntriesAndWrongCoveringValuesAreReported() {
    fixture.fill(100);
    Subspace entries = entries(BY_CITY_COVERING);
    Key stale = entries.pack("elsewhere", 9, 17);
    Key wrong = rows(BY_CITY_COVERING).get(40);
    database.run(tx -> tx.set(stale, new byte[0]));
    database.run(tx -> tx.set(wrong, Tuple.of(-1).pack()));

    ScrubReport report = scrub(o -> o.withIndexes(BY_CITY_COVERING).withMode(Mode.REPAIR));

    Tuple entry = entries.unpack(wrong);
    assertThat(report.findings())
        .containsExactly(
            new Finding.WrongValue(BY_CITY_COVERING, entry, entry.subTuple(2, 3)),
            new Finding.Stale(BY_CITY_COVERING, stale, Tuple.of(17)));
    assertThat(report.repaired()).isEqualTo(2);
    fixture.assertRight(BY_CITY_COVERING);
  }

  @Test
  void wrongTotalsAreReportedByGroup() {
    fixture.fill(100);
    corruptCounts();
    List<Key> leftovers = fixture.leftovers();

    ScrubReport report = scrub(o -> o.withIndexes(COUNT_BY_CITY, COUNT));

    assertThat(report.findings())
        .containsExactly(
            new Finding.WrongTotal(COUNT_BY_CITY, Tuple.of("city-1"), Tuple.of(19), Tuple.of(14)),
            new Finding.WrongTotal(COUNT_BY_CITY, Tuple.of("ghost"), Tuple.of(5), Tuple.EMPTY),
            new Finding.WrongTotal(COUNT, Tuple.EMPTY, Tuple.of(99), Tuple.of(100)));
    assertThat(report.repaired()).isZero();
    assertThat(fixture.leftovers()).isEqualTo(leftovers);
  }

  private void corruptCounts() {
    Subspace byCity = entries(COUNT_BY_CITY);
    Key all = entries(COUNT).prefix();
    database.run(
        tx -> {
          tx.mutate(MutationType.ADD, byCity.pack("city-1"), new byte[] {5, 0, 0, 0, 0, 0, 0, 0});
          tx.set(byCity.pack("ghost"), new byte[] {5, 0, 0, 0, 0, 0, 0, 0});
          tx.set(all, new byte[] {99, 0, 0, 0, 0, 0, 0, 0});
        });
  }

  @Test
  void wrongTotalsAreRepairedAndNothingIsLeftBehind() {
    fixture.fill(100);
    List<Key> sound = fixture.leftovers();
    corruptCounts();

    ScrubReport report = scrub(o -> o.withIndexes(COUNT_BY_CITY, COUNT).withMode(Mode.REPAIR));

    assertThat(report.repaired()).isEqualTo(3);
    assertThat(scrub(o -> o.withIndexes(COUNT_BY_CITY, COUNT)).wrong()).isZero();
    fixture.assertRight(COUNT, COUNT_BY_CITY);
    assertThat(fixture.leftovers()).hasSameSizeAs(sound);
    database.run(tx -> fixture.people.delete(tx, 3L));
    fixture.assertRight(COUNT, COUNT_BY_CITY);
  }

  @Test
  void runsWithAQuotaCoverEverythingOnceBeforeTheyBeginAgain() {
    fixture.fill(200);
    long whole = scrub(o -> o).scanned();
    damageEntries200();

    for (int round = 0; round < 2; round++) {
      List<ScrubReport> reports = new ArrayList<>();
      do {
        reports.add(scrub(o -> o.withRowsPerTransaction(10).withRowsMax(35)));
      } while (!reports.getLast().complete());

      assertThat(reports).hasSizeGreaterThan(10);
      assertThat(reports).allMatch(report -> report.scanned() <= 45);
      assertThat(reports.stream().mapToLong(ScrubReport::missing).sum()).isEqualTo(2);
      assertThat(reports.stream().mapToLong(ScrubReport::wrongTotals).sum()).isEqualTo(1);
      assertThat(reports.stream().mapToLong(ScrubReport::scanned).sum())
          .isBetween(whole - 2, whole + 2);
    }
  }

  private void damageEntries200() {
    List<Key> rows = rows(BY_TAG);
    Key all = entries(COUNT).prefix();
    database.run(
        tx -> {
          tx.clear(rows.get(1));
          tx.clear(rows.get(150));
          tx.set(all, new byte[] {1, 0, 0, 0, 0, 0, 0, 0});
        });
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 4)
  void repairBesideWritersEndsWithRightIndexes(long seed) {
    fixture.fill(500);
    SplittableRandom random = new SplittableRandom(seed);
    for (String index : new String[] {BY_CITY, BY_TAG, BY_CITY_COVERING}) {
      List<Key> rows = rows(index);
      database.run(
          tx -> {
            for (int i = 0; i < 20; i++) {
              tx.clear(rows.get(random.nextInt(rows.size())));
              tx.set(entries(index).pack("stray", 1, random.nextInt(800)), new byte[0]);
            }
          });
    }
    corruptCounts();
    try (Writers writers = Writers.start(fixture, 4, 500, seed)) {
      writers.awaitFirst();
      ScrubReport report = scrub(o -> o.withMode(Mode.REPAIR).withRowsPerTransaction(25));
      assertThat(report.complete()).isTrue();
    }
    fixture.assertRight(ALL);
  }

  @Test
  void indexThatIsNotReadableIsNotScrubbed() {
    fixture.disable(BY_CITY);
    assertThatThrownBy(() -> scrub(o -> o.withIndexes(BY_CITY)))
        .isInstanceOf(IndexStateException.class)
        .hasMessageContaining(BY_CITY);
    assertThat(scrub(o -> o).complete()).isTrue();
  }

  @Test
  void listOfFindingsIsBoundedAndTheirNumberIsNot() {
    fixture.fill(50);
    database.run(tx -> tx.clear(entries(BY_CITY).prefixRange()));

    ScrubReport report = scrub(o -> o.withIndexes(BY_CITY).withFindingsMax(3));

    assertThat(report.findings()).hasSize(3);
    assertThat(report.missing()).isEqualTo(50);
  }
}
