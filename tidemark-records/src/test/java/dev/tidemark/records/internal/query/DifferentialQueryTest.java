package dev.tidemark.records.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.Internals;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.internal.keys.ColumnReader;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.ElementOrder;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.engine.BoundQuery;
import dev.tidemark.records.internal.query.engine.CursorPlace;
import dev.tidemark.records.internal.query.engine.PlanningEngine;
import dev.tidemark.records.internal.query.engine.TypePlans;
import dev.tidemark.records.internal.query.plan.Access;
import dev.tidemark.records.internal.query.plan.Candidate;
import dev.tidemark.records.internal.query.plan.Plan;
import dev.tidemark.records.internal.query.plan.PlanCache;
import dev.tidemark.records.internal.query.plan.Planner;
import dev.tidemark.records.internal.query.plan.Route;
import dev.tidemark.records.internal.query.plan.TypeStatistics;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.query.Continuation;
import dev.tidemark.records.query.Cursor;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.query.StopReason;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Every plan that the planner can produce for a query, not only the one it chooses, gives exactly
 * what a full scan, a filter and a sort give: types, data, indexes, filters and orders are random.
 */
@Timeout(120)
class DifferentialQueryTest {
  private static final int RECORDS = 50;

  private static final int MANY_RECORDS = 600;

  /** How many plans were run, and how many of them read which index in which way. */
  private static final ConcurrentHashMap<String, Integer> RUN = new ConcurrentHashMap<>();

  /** One seed alone, as for a replay, may have few of some. */
  @AfterAll
  static void plansOfEveryKindHaveRun() {
    int all = RUN.getOrDefault("all", 0);
    if (all > 1_000) {
      assertThat(RUN).as("of %d plans", all).allSatisfy((kind, count) -> enough(kind, count, all));
      assertThat(RUN).containsKeys("text", "text combined", "rank", "rank counted");
    }
  }

  private static void enough(String kind, int count, int all) {
    assertThat(count).as(kind).isGreaterThan(all / 50);
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 12)
  void everyPlanGivesWhatFullScanFilterAndSortGive(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Database database = EmbeddedDatabase.inMemory()) {
      Fixture fixture = new Fixture(database, random);
      fixture.save(0, RECORDS);
      for (int i = 0; i < 30; i++) {
        QuerySpec query = fixture.query();
        fixture.check(body -> database.read(body::apply), query, QueryLimits.NONE);
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 8)
  void everyPlanGivesTheSameWhenItIsResumedAfterEveryRow(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Database database = EmbeddedDatabase.inMemory()) {
      Fixture fixture = new Fixture(database, random);
      fixture.save(0, RECORDS);
      for (int i = 0; i < 10; i++) {
        QuerySpec query = fixture.query();
        QueryLimits limits =
            random.nextBoolean()
                ? QueryLimits.NONE.withRows(1)
                : QueryLimits.NONE.withScannedRows(1 + random.nextInt(3));
        fixture.check(body -> database.read(body::apply), query, limits);
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 4)
  void everyPlanSeesWhatItsTransactionHasWritten(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Database database = EmbeddedDatabase.inMemory()) {
      Fixture fixture = new Fixture(database, random);
      fixture.save(0, RECORDS);
      for (int i = 0; i < 8; i++) {
        database.run(
            tx -> {
              fixture.change(tx, random, RECORDS);
              fixture.check(within(tx), fixture.query(), QueryLimits.NONE);
            });
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 3)
  void everyPlanReadsOneVersionWhileWritersRun(long seed) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    try (Database database = EmbeddedDatabase.inMemory()) {
      Fixture fixture = new Fixture(database, random);
      fixture.save(0, RECORDS);
      AtomicBoolean over = new AtomicBoolean();
      SplittableRandom others = random.split();
      Thread writer =
          Thread.startVirtualThread(
              () -> {
                while (!over.get()) {
                  database.run(tx -> fixture.change(tx, others, RECORDS));
                }
              });
      try {
        for (int i = 0; i < 8; i++) {
          QuerySpec query = fixture.query();
          QueryLimits limits =
              i % 2 == 0 ? QueryLimits.NONE : QueryLimits.NONE.withRows(1 + random.nextInt(5));
          database.read(
              tx -> {
                fixture.check(within(tx), query, limits);
                return true;
              });
        }
      } finally {
        over.set(true);
        writer.join();
      }
    }
  }

  /** So many records that it is worth to count those that are left out. */
  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 8)
  void everyPlanLeavesOutAsManyAsTheOffsetSays(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Database database = EmbeddedDatabase.inMemory()) {
      Fixture fixture = new Fixture(database, random);
      fixture.save(0, MANY_RECORDS);
      for (int i = 0; i < 9; i++) {
        QuerySpec query = fixture.rankedQuery();
        QueryLimits limits =
            switch (i % 3) {
              case 0 -> QueryLimits.NONE;
              case 1 -> QueryLimits.NONE.withRows(20 + random.nextInt(20));
              default -> QueryLimits.NONE.withScannedRows(20 + random.nextInt(200));
            };
        fixture.check(body -> database.read(body::apply), query, limits);
        database.run(tx -> fixture.change(tx, random, MANY_RECORDS));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 3)
  void conditionWithMillionsOfAlternativesIsAnsweredRight(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Database database = EmbeddedDatabase.inMemory()) {
      Fixture fixture = new Fixture(database, random);
      fixture.save(0, RECORDS);
      List<Condition> parts = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        parts.add(
            new Condition.Or(
                List.of(
                    new Condition.Not(fixture.queries.condition(0)),
                    new Condition.Not(fixture.queries.condition(0)))));
      }
      QuerySpec query = QuerySpec.ALL.and(new Condition.And(parts));
      fixture.check(body -> database.read(body::apply), query, QueryLimits.NONE);
    }
  }

  /** Where a query is asked: in one transaction, or each part of it in a new one. */
  private interface Reads {
    boolean read(ReadBody body);
  }

  private interface ReadBody {
    boolean apply(ReadTransaction tx);
  }

  private static Reads within(ReadTransaction tx) {
    return body -> body.apply(tx);
  }

  /** A store of a random type with random indexes. */
  private static final class Fixture {
    private final RandomQueries queries;
    private final SplittableRandom random;
    private final RecordType<DynamicRecord> type;
    private final RecordStore<DynamicRecord> store;
    private final Database database;
    private final Space space;
    private final PlanningEngine<DynamicRecord> engine;
    private final FieldType.Nested root;
    private final IndexSpec rank;
    private final Route rankRoute;

    Fixture(Database database, SplittableRandom random) {
      this.random = random;
      this.database = database;
      this.queries = new RandomQueries(random);
      this.type = DynamicRecord.type(queries.spec());
      List<IndexSpec> indexes = queries.indexes();
      this.rank = indexes.getLast();
      this.rankRoute = Route.through(type.spec(), rank, false, TypeStatistics.UNKNOWN);
      RecordSpace opened =
          RecordSpace.open(database, Schema.of(1, List.of(type), indexes), Subspace.of("things"));
      this.store = opened.store(type);
      this.space = Internals.of(opened);
      this.engine = new PlanningEngine<>(space, type);
      this.root = new FieldType.Nested("Thing", queries.spec().fields());
    }

    void save(long from, long to) {
      database.run(
          tx -> {
            for (long id = from; id < to; id++) {
              store.save(tx, record(random, id));
            }
          });
    }

    private DynamicRecord record(SplittableRandom from, long id) {
      return new AnyValues(from).record("Thing", queries.spec().fields()).with(2, id);
    }

    /** Deletes one record, and saves another in the place of the one with its number. */
    void change(Transaction tx, SplittableRandom from, long ids) {
      List<DynamicRecord> all = store.scan(tx.snapshot()).toList();
      delete(tx, all.get(from.nextInt(all.size())));
      long id = from.nextLong(ids);
      all.stream()
          .filter(known -> Long.valueOf(id).equals(known.value(2)))
          .forEach(known -> delete(tx, known));
      store.save(tx, record(from, id));
    }

    private void delete(Transaction tx, DynamicRecord record) {
      Object[] key = queries.spec().primaryKey().stream().map(record::value).toArray(Object[]::new);
      store.delete(tx, key);
    }

    QuerySpec query() {
      OptionalLong limit =
          random.nextInt(3) == 0 ? OptionalLong.of(1 + random.nextInt(20)) : OptionalLong.empty();
      long offset = random.nextInt(4) == 0 ? random.nextInt(8) : 0;
      return new QuerySpec(
          queries.condition(3), queries.order(), queries.wanted(), limit, offset, Optional.empty());
    }

    /** A page of records in the order of their ranks, or how many there are. */
    QuerySpec rankedQuery() {
      boolean descending = random.nextBoolean();
      ColumnSpec value = Planner.ascending(rank.columns().getLast());
      return new QuerySpec(
          queries.ranked(rank),
          random.nextInt(3) == 0
              ? List.of()
              : List.of(new Ordering(value, descending, !descending)),
          queries.wanted(),
          OptionalLong.of(1 + random.nextInt(random.nextBoolean() ? 20 : 400)),
          random.nextInt(100, MANY_RECORDS),
          Optional.empty());
    }

    void check(Reads reads, QuerySpec query, QueryLimits limits) {
      List<DynamicRecord> all = new ArrayList<>();
      List<BoundQuery> planned = new ArrayList<>();
      reads.read(
          tx -> {
            all.clear();
            planned.clear();
            store
                .scan(tx)
                .filter(record -> NaiveTruth.of(query.condition(), record, root) > 0)
                .sorted(order(query.order()))
                .forEach(all::add);
            PlanCache plans = TypePlans.of(space.state(tx)).of(space, tx, type).plans();
            planned.add(BoundQuery.of(plans, type, asRecords(query)));
            return planned.add(BoundQuery.of(plans, type, query));
          });
      long from = Math.min(query.offset(), all.size());
      long to = Math.min(all.size(), from + query.limit().orElse(all.size()));
      List<DynamicRecord> expected = all.subList((int) from, (int) to);
      for (Candidate candidate : planned.getFirst().planned().candidates()) {
        note(candidate.plan(), query.offset());
        Paged<DynamicRecord> found =
            (tx, next) ->
                engine.records(tx, asRecords(query), allowed(limits, candidate.plan()), next);
        verify(query, all, expected, all(reads, planned.getFirst(), candidate, found), candidate);
      }
      if (query.wanted().isPresent()) {
        for (Candidate candidate : planned.getLast().planned().candidates()) {
          Paged<@Nullable Object[]> found =
              (tx, next) -> engine.columns(tx, query, allowed(limits, candidate.plan()), next);
          verifyColumns(
              query, all, expected, all(reads, planned.getLast(), candidate, found), candidate);
        }
      }
      reads.read(
          tx -> {
            assertThat(engine.count(tx, query)).as("count of %s", query).isEqualTo(to - from);
            return true;
          });
    }

    private void note(Plan plan, long offset) {
      Plan source = plan instanceof Plan.Sorted sorted ? sorted.source() : plan;
      RUN.merge("all", 1, Integer::sum);
      if (plan.uses("text")) {
        RUN.merge(source instanceof Plan.Read ? "text" : "text combined", 1, Integer::sum);
      }
      if (plan.uses("rank")) {
        RUN.merge("rank", 1, Integer::sum);
      }
      boolean counted =
          plan instanceof Plan.Read read
              && offset > Access.READ_RATHER_THAN_COUNT_MAX
              && read.access().index().equals(Optional.of("rank"))
              && read.givesEveryEntry(rankRoute)
              && read.countsEntries(rankRoute);
      if (counted) {
        RUN.merge("rank counted", 1, Integer::sum);
      }
    }

    /** Opens a cursor where another stopped. */
    private interface Paged<T> {
      Cursor<T> open(ReadTransaction tx, Continuation from);
    }

    private static <T> List<T> all(
        Reads reads, BoundQuery planned, Candidate candidate, Paged<T> pages) {
      List<T> found = new ArrayList<>();
      AtomicReference<Continuation> next = new AtomicReference<>(start(planned, candidate));
      boolean more = true;
      while (more) {
        byte[] from = next.get().toBytes();
        int before = found.size();
        more =
            reads.read(
                tx -> {
                  found.subList(before, found.size()).clear();
                  Cursor<T> cursor = pages.open(tx, next.get());
                  cursor.forEachRemaining(found::add);
                  next.set(cursor.continuation());
                  return cursor.stopReason() != StopReason.EXHAUSTED;
                });
        assertThat(more && Arrays.equals(from, next.get().toBytes()))
            .as("%s got nowhere", candidate.plan())
            .isFalse();
      }
      return found;
    }

    private static QuerySpec asRecords(QuerySpec query) {
      return new QuerySpec(
          query.condition(),
          query.order(),
          Optional.empty(),
          query.limit(),
          query.offset(),
          query.index());
    }

    /** A continuation from the beginning of {@code candidate}, so that just this plan runs. */
    private static Continuation start(BoundQuery planned, Candidate candidate) {
      return CursorPlace.start(
              candidate.fingerprint(),
              1,
              planned.fingerprint(),
              planned.query().offset(),
              planned.query().limit().orElse(-1))
          .toContinuation();
    }

    /** Rows with the same order may come either way, so a limit may cut off one or the other. */
    private void verify(
        QuerySpec query,
        List<DynamicRecord> all,
        List<DynamicRecord> expected,
        List<DynamicRecord> found,
        Candidate candidate) {
      String what = "%s by %s".formatted(query, candidate.plan());
      assertThat(keys(found)).as(what).doesNotHaveDuplicates().hasSameSizeAs(expected);
      assertThat(keys(all)).as(what).containsAll(keys(found));
      Comparator<DynamicRecord> order = order(query.order());
      for (int i = 0; i < found.size(); i++) {
        assertThat(order.compare(found.get(i), expected.get(i))).as(what + " at " + i).isZero();
      }
    }

    private List<Tuple> keys(List<DynamicRecord> records) {
      return records.stream().map(store::primaryKey).toList();
    }

    /** A sort has to read all before the first row comes; a limit on that is an error. */
    private static QueryLimits allowed(QueryLimits limits, Plan plan) {
      return plan instanceof Plan.Sorted && limits.scannedRows().isPresent()
          ? QueryLimits.NONE.withRows(1)
          : limits;
    }

    private void verifyColumns(
        QuerySpec query,
        List<DynamicRecord> all,
        List<DynamicRecord> expected,
        List<@Nullable Object[]> rows,
        Candidate candidate) {
      List<String> found = rows.stream().map(Arrays::deepToString).toList();
      String what = "%s by %s".formatted(query, candidate.plan());
      List<ColumnSpec> wanted = query.wanted().orElseThrow();
      List<String> possible = all.stream().map(record -> shown(record, wanted)).toList();
      assertThat(found).as(what).hasSameSizeAs(expected);
      if (all.size() == expected.size()) {
        assertThat(found).as(what).containsExactlyInAnyOrderElementsOf(possible);
      } else {
        assertThat(possible).as(what).containsAll(found);
      }
    }

    private String shown(DynamicRecord record, List<ColumnSpec> columns) {
      return Arrays.deepToString(
          columns.stream().map(column -> ColumnReader.of(type, column).single(record)).toArray());
    }

    private Comparator<DynamicRecord> order(List<Ordering> order) {
      return (left, right) -> {
        for (Ordering ordering : order) {
          ColumnReader column = ColumnReader.of(type, ordering.column());
          int compared = compare(ordering, column.single(left), column.single(right));
          if (compared != 0) {
            return compared;
          }
        }
        return 0;
      };
    }

    private static int compare(Ordering ordering, @Nullable Object left, @Nullable Object right) {
      if (left == null || right == null) {
        int order = Boolean.compare(left != null, right != null);
        return ordering.nullsFirst() ? order : -order;
      }
      int order = ElementOrder.compare(left, right);
      return ordering.descending() ? -order : order;
    }
  }
}
