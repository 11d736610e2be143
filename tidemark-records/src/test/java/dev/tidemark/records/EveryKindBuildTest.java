package dev.tidemark.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.internal.IndexContents;
import dev.tidemark.records.internal.Recount;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.maintenance.OnlineIndexer;
import dev.tidemark.records.maintenance.ScrubOptions;
import dev.tidemark.records.maintenance.ScrubReport;
import dev.tidemark.records.maintenance.Scrubber;
import dev.tidemark.records.maintenance.Violation;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Builds and scrubs of indexes of every kind, compared with a rebuild of each. */
@Timeout(120)
class EveryKindBuildTest {
  private static final int IDS = 200;
  private static final List<IndexSpec> KINDS = People.everyKind();
  private static final Schema SCHEMA = Schema.of(1, List.of(People.VERSIONED), KINDS);
  private static final String[] NAMES = KINDS.stream().map(IndexSpec::name).toArray(String[]::new);

  private final EmbeddedDatabase database = EmbeddedDatabase.inMemory();
  private final RecordSpace space = open(database);
  private final RecordStore<Person> people = space.store(People.VERSIONED);

  private static RecordSpace open(Database database) {
    return RecordSpace.open(database, SCHEMA, Subspace.of("people"));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 4)
  void oneBuildOfAllBesideWritersAndFaultsEqualsARebuild(long seed) {
    fill(seed);
    database.run(tx -> List.of(NAMES).forEach(index -> space.indexes().disable(tx, index)));
    FaultyDatabase faulty =
        FaultyDatabase.over(
            database,
            FaultPlan.random(
                seed,
                0.2,
                Fault.CONFLICT,
                Fault.UNKNOWN_COMMITTED,
                Fault.UNKNOWN_NOT_COMMITTED,
                Fault.UNKNOWN_ON_ITS_WAY));
    try (Writers writers = Writers.start(this::change, 4, seed);
        OnlineIndexer indexer =
            OnlineIndexer.of(
                open(faulty),
                o ->
                    o.withIndexes(NAMES)
                        .withRecordsPerTransaction(5 << seed % 5)
                        .withRecordsPerSecond(1_000))) {
      writers.awaitFirst();
      indexer.build();
    }

    assertThat(database.read(tx -> space.indexes().states(tx)).values())
        .allMatch(IndexState::isReadable);
    resolveViolations();
    Recount.check(space.internals());
  }

  /** Writers may take an address that the builder then finds with somebody else too. */
  private void resolveViolations() {
    for (Violation violation :
        database.read(tx -> space.indexes().violations(tx, "email", Integer.MAX_VALUE))) {
      violation.primaryKeys().stream()
          .skip(1)
          .forEach(key -> database.run(tx -> people.delete(tx, key.getLong(0))));
    }
    IndexState state = database.transact(tx -> space.indexes().makeReadable(tx, "email"));
    assertThat(state).isEqualTo(IndexState.READABLE);
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 6)
  void repairOfAllKindsBesideWritersEqualsARebuild(long seed) {
    fill(seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (IndexSpec index : KINDS) {
      switch (index.kind()) {
        case COUNT_UPDATES, MIN_EVER, MAX_EVER -> {}
        default -> database.run(tx -> damage(tx, index.name(), random));
      }
    }
    try (Writers writers = Writers.start(this::move, 2, seed)) {
      writers.awaitFirst();
      ScrubReport report = scrub();
      assertThat(report.wrong()).isPositive();
      assertThat(report.repaired()).isPositive();
    }

    Recount.check(space.internals());
    assertThat(scrub().wrong()).isZero();
  }

  private ScrubReport scrub() {
    return Scrubber.of(space, o -> o.withMode(ScrubOptions.Mode.REPAIR).withRowsPerTransaction(50))
        .run();
  }

  private void damage(Transaction tx, String index, SplittableRandom random) {
    IndexKeys keys = IndexContents.keys(space.internals(), tx, index);
    for (Subspace part : List.of(keys.entries(), keys.secondary())) {
      List<KeyValue> rows = tx.scan(part.prefixRange()).list();
      if (!rows.isEmpty()) {
        tx.clear(rows.get(random.nextInt(rows.size())).key());
        KeyValue copied = rows.get(random.nextInt(rows.size()));
        Key stray = part.pack("stray", random.nextInt());
        tx.set(stray, copied.value());
      }
    }
  }

  private void fill(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < IDS; i++) {
      save(random);
    }
  }

  private void change(SplittableRandom random) {
    switch (random.nextInt(4)) {
      case 0 -> database.run(tx -> people.delete(tx, random.nextLong(IDS)));
      case 1 -> {
        long from = random.nextLong(IDS);
        database.run(tx -> people.deleteWhere(tx, from));
      }
      default -> save(random);
    }
  }

  /** Changes that a damaged index does not refuse. */
  private void move(SplittableRandom random) {
    long id = random.nextLong(IDS);
    database.run(
        tx ->
            people
                .load(tx, id)
                .ifPresent(found -> people.save(tx, found.withAge(random.nextInt(80)))));
  }

  private void save(SplittableRandom random) {
    Person person = People.random(random, IDS);
    try {
      database.run(tx -> people.save(tx, person));
    } catch (UniquenessException taken) {
      database.run(tx -> people.save(tx, person.withEmail(null)));
    }
  }
}
