package dev.tidemark.records.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.condition.TextConditions;
import dev.tidemark.records.internal.query.match.RecordTests;
import dev.tidemark.records.internal.query.match.RowTest;
import dev.tidemark.records.internal.query.plan.Candidate;
import dev.tidemark.records.internal.query.plan.Plan;
import dev.tidemark.records.internal.query.run.Hit;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.query.StopReason;
import dev.tidemark.records.query.TextQuery;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Every plan of random queries, stopped wherever it can be and resumed from there. */
class ResumeTest {
  private static final int QUERIES = 25;
  private static final int PARTS = 3;
  private static final int IDS = 12;

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 6)
  @Timeout(120)
  void everyPlanGoesOnExactlyWhereItWasStopped(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomQueries queries = new RandomQueries(random, Things.SPEC);
    try (Database database = EmbeddedDatabase.inMemory()) {
      Things things = new Things(database, queries.indexes(), random);
      fill(database, things);
      for (int i = 0; i < QUERIES; i++) {
        QuerySpec query = query(queries, random);
        for (Candidate plan : plans(database, things, query)) {
          check(database, things, query, plan);
        }
      }
    }
  }

  /** An entry of a word has the whole primary key, though its group has a part of it already. */
  @Test
  void wordsWithinAPartOfThePrimaryKeyGoOnWhereTheyWereStopped() {
    ColumnSpec part = ColumnSpec.of(1);
    ColumnSpec text = ColumnSpec.of(5);
    IndexSpec words = IndexSpec.of("words", "Thing", IndexKind.TEXT, List.of(part, text));
    try (Database database = EmbeddedDatabase.inMemory()) {
      Things things = new Things(database, List.of(words), new SplittableRandom(1));
      database.run(tx -> LongStream.range(0, 120).forEach(id -> things.save(tx, id % 2, id)));
      for (TextQuery asked :
          List.of(TextQuery.all("a ab"), TextQuery.any("a b"), TextQuery.prefix("a"))) {
        Condition inPart =
            new Condition.Compare(part, Condition.Operator.EQ, new Operand.Value(1L));
        QuerySpec query = QuerySpec.ALL.and(inPart).and(TextConditions.of(text, asked));
        List<Candidate> plans = plans(database, things, query);
        assertThat(plans).anyMatch(plan -> plan.plan().uses("words"));
        assertThat(expected(database, things, query)).isPositive();
        plans.forEach(plan -> check(database, things, query, plan));
      }
    }
  }

  private static void fill(Database database, Things things) {
    database.run(
        tx -> {
          for (long part = 0; part < PARTS; part++) {
            for (long id = 0; id < IDS; id++) {
              things.save(tx, part, id);
            }
          }
        });
  }

  private static QuerySpec query(RandomQueries queries, SplittableRandom random) {
    QuerySpec query =
        new QuerySpec(
            queries.condition(2),
            random.nextBoolean() ? List.of() : queries.order(),
            queries.wanted(),
            random.nextInt(3) == 0 ? OptionalLong.of(random.nextInt(1, 20)) : OptionalLong.empty(),
            random.nextInt(4) == 0 ? random.nextInt(10) : 0,
            Optional.empty());
    return query;
  }

  private static List<Candidate> plans(Database database, Things things, QuerySpec query) {
    return database.read(tx -> things.engine.plan(tx, query).candidates());
  }

  private static void check(Database database, Things things, QuerySpec query, Candidate plan) {
    List<Key> whole = pages(database, things, query, plan, QueryLimits.NONE);
    assertThat(new HashSet<>(whole)).as("records that come twice by %s", plan).hasSameSizeAs(whole);
    assertThat(whole.size())
        .as("%s by %s", query, plan)
        .isEqualTo(expected(database, things, query));
    assertThat(pages(database, things, query, plan, QueryLimits.NONE.withRows(1)))
        .as("stopped after every row: %s by %s", query, plan)
        .isEqualTo(whole);
    if (!(plan.plan() instanceof Plan.Sorted)) {
      for (QueryLimits limits :
          List.of(
              QueryLimits.NONE.withScannedRows(1),
              QueryLimits.NONE.withScannedRows(7),
              QueryLimits.NONE.withScannedBytes(1),
              QueryLimits.NONE.withRows(3).withScannedBytes(200))) {
        assertThat(pages(database, things, query, plan, limits))
            .as("stopped by %s: %s by %s", limits, query, plan)
            .isEqualTo(whole);
      }
    }
  }

  /** How many records the query has, by the plainest way to find out. */
  private static int expected(Database database, Things things, QuerySpec query) {
    RowTest<Object> test =
        RecordTests.of(Things.TYPE, query.condition()).with(new Bindings(List.of()));
    long all =
        database.<Long, RuntimeException>read(
            tx -> things.store.scan(tx).filter(test::holds).count());
    return (int) Math.min(Math.max(0, all - query.offset()), query.limit().orElse(all));
  }

  /** What cursors with {@code limits} find one after the other, each in its own transaction. */
  private static List<Key> pages(
      Database database, Things things, QuerySpec query, Candidate plan, QueryLimits limits) {
    List<Key> found = new ArrayList<>();
    @Nullable Continuation at = null;
    StopReason why = StopReason.ROW_LIMIT;
    for (int page = 0; why != StopReason.EXHAUSTED; page++) {
      assertThat(page).as("pages of %s by %s", query, plan).isLessThan(2_000);
      Page next = page(database, things, query, plan, limits, at);
      found.addAll(next.keys());
      at = next.at();
      why = next.why();
    }
    return found;
  }

  private record Page(List<Key> keys, Continuation at, StopReason why) {}

  private static Page page(
      Database database,
      Things things,
      QuerySpec query,
      Candidate plan,
      QueryLimits limits,
      @Nullable Continuation at) {
    return database.read(
        tx -> {
          Cursor<Hit> hits = things.engine.hits(tx, query, limits, at, planned -> plan);
          List<Key> keys = new ArrayList<>();
          while (hits.hasNext()) {
            keys.add(hits.next().recordKey());
          }
          return new Page(keys, hits.continuation(), hits.stopReason());
        });
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 4)
  @Timeout(120)
  void recordsThatStayComeOnceThoughOthersComeAndGo(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomQueries queries = new RandomQueries(random, Things.SPEC);
    try (Database database = EmbeddedDatabase.inMemory()) {
      Things things = new Things(database, queries.indexes(), random);
      fill(database, things);
      for (int i = 0; i < QUERIES; i++) {
        QuerySpec query = query(queries, random).limitedTo(OptionalLong.empty()).from(0);
        for (Candidate plan : plans(database, things, query)) {
          checkWithWriters(database, things, query, plan, random);
        }
      }
    }
  }

  /** Ids from {@link #IDS} on come and go; the others stay as they are. */
  private static void checkWithWriters(
      Database database, Things things, QuerySpec query, Candidate plan, SplittableRandom random) {
    Set<Key> staying = new HashSet<>(pages(database, things, query, plan, QueryLimits.NONE));
    List<Key> found = new ArrayList<>();
    @Nullable Continuation at = null;
    StopReason why = StopReason.ROW_LIMIT;
    QueryLimits limits = QueryLimits.NONE.withRows(1 + random.nextInt(3));
    while (why != StopReason.EXHAUSTED) {
      Page next = page(database, things, query, plan, limits, at);
      found.addAll(next.keys());
      at = next.at();
      why = next.why();
      database.run(tx -> disturb(tx, things, random));
    }
    List<Key> stayed = found.stream().filter(staying::contains).toList();
    assertThat(stayed).as("%s by %s", query, plan).containsExactlyInAnyOrderElementsOf(staying);
    database.run(
        tx -> {
          for (long part = 0; part < PARTS; part++) {
            for (long id = IDS; id < 2 * IDS; id++) {
              things.store.delete(tx, part, id);
            }
          }
        });
  }

  private static void disturb(Transaction tx, Things things, SplittableRandom random) {
    long part = random.nextInt(PARTS);
    long id = (long) IDS + random.nextInt(IDS);
    if (random.nextInt(3) == 0) {
      things.store.delete(tx, part, id);
    } else {
      things.save(tx, part, id);
    }
  }
}
