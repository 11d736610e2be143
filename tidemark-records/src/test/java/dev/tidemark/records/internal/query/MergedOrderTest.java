package dev.tidemark.records.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.StoreOptions;
import dev.tidemark.records.internal.opening.Opening;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.Ordering;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.engine.PlanningEngine;
import dev.tidemark.records.internal.query.plan.Candidate;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Orders that name a column of which a query wants one of several values. */
class MergedOrderTest {
  private static final TypeSpec SPEC =
      TypeSpec.of(
          "Dweller",
          List.of(
              new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
              new FieldSpec(2, "city", FieldType.Scalar.STRING, false),
              new FieldSpec(3, "age", FieldType.Scalar.LONG, false)),
          List.of(1));
  private static final RecordType<DynamicRecord> TYPE = DynamicRecord.type(SPEC);
  private static final Subspace ROOT = Subspace.of("dwellers");
  private static final List<String> CITIES = List.of("a", "b", "c");
  private static final QuerySpec IN_TWO_CITIES =
      QuerySpec.ALL.and(
          new Condition.In(column("city"), new Operand.Value(List.<Object>of("a", "b"))));

  record Case(boolean unique, List<Ordering> order) {}

  static Stream<Case> cases() {
    List<List<Ordering>> orders =
        List.of(
            List.of(by("city"), byDescending("age")),
            List.of(byDescending("city"), by("age")),
            List.of(by("age"), by("city")),
            List.of(by("age"), byDescending("id")),
            List.of(byDescending("age"), by("city")),
            List.of(by("age"), by("id"), byDescending("city")));
    return orders.stream()
        .flatMap(order -> Stream.of(new Case(false, order), new Case(true, order)));
  }

  private static ColumnSpec column(String name) {
    return ColumnSpec.parse(SPEC, name);
  }

  private static Ordering by(String name) {
    return new Ordering(column(name), false, true);
  }

  private static Ordering byDescending(String name) {
    return new Ordering(column(name), true, false);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyPlanGivesTheOrderOfASortedScanAlsoIfStoppedAfterEveryRow(Case asked) {
    IndexSpec plain =
        IndexSpec.of(
            "city_age", SPEC.name(), IndexKind.VALUE, List.of(column("city"), column("age")));
    Schema schema =
        Schema.of(1, List.of(TYPE), List.of(asked.unique() ? plain.asUnique(false) : plain));
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordStore<DynamicRecord> store = RecordSpace.open(database, schema, ROOT).store(TYPE);
      fill(database, store);
      PlanningEngine<DynamicRecord> engine =
          new PlanningEngine<>(Opening.open(database, schema, ROOT, StoreOptions.DEFAULTS), TYPE);
      QuerySpec query = IN_TWO_CITIES.orderedBy(asked.order());
      List<List<Object>> expected = sortedScan(database, store, asked.order());
      List<Candidate> plans = database.read(tx -> engine.plan(tx, query).candidates());

      assertThat(plans.stream().map(plan -> plan.plan().toString()).toList())
          .anyMatch(plan -> plan.contains("city_age"));
      for (Candidate plan : plans) {
        assertThat(rows(database, engine, query, plan)).as("%s", plan).isEqualTo(expected);
        assertThat(Pages.keys(database, engine, query, plan, QueryLimits.NONE.withRows(1)))
            .as("stopped after every row: %s", plan)
            .isEqualTo(Pages.keys(database, engine, query, plan, QueryLimits.NONE));
      }
    }
  }

  private static void fill(Database database, RecordStore<DynamicRecord> store) {
    database.run(
        tx -> {
          for (long id = 0; id < 15; id++) {
            store.save(
                tx,
                DynamicRecord.of(SPEC)
                    .with("id", id)
                    .with("city", CITIES.get((int) id % CITIES.size()))
                    .with("age", id / CITIES.size()));
          }
        });
  }

  private static List<List<Object>> sortedScan(
      Database database, RecordStore<DynamicRecord> store, List<Ordering> order) {
    return database.read(
        tx ->
            store
                .scan(tx)
                .filter(dweller -> !Optional.of("c").equals(dweller.get("city")))
                .map(MergedOrderTest::values)
                .sorted(comparator(order))
                .toList());
  }

  private static List<Object> values(DynamicRecord dweller) {
    return Stream.of("id", "city", "age").map(name -> dweller.get(name).orElseThrow()).toList();
  }

  private static Comparator<List<Object>> comparator(List<Ordering> order) {
    return order.stream()
        .map(MergedOrderTest::comparator)
        .reduce(Comparator::thenComparing)
        .orElseThrow();
  }

  private static Comparator<List<Object>> comparator(Ordering ordering) {
    int place = ordering.column().path().getFirst().field() - 1;
    Comparator<List<Object>> ascending =
        place == 1
            ? Comparator.comparing(row -> (String) row.get(place))
            : Comparator.comparing(row -> (Long) row.get(place));
    return ordering.descending() ? ascending.reversed() : ascending;
  }

  private static List<List<Object>> rows(
      Database database, PlanningEngine<DynamicRecord> engine, QuerySpec query, Candidate plan) {
    return database.read(
        tx -> {
          List<List<Object>> rows = new ArrayList<>();
          engine.records(tx, query, plan).forEachRemaining(row -> rows.add(values(row)));
          return rows;
        });
  }
}
