package dev.tidemark.records.internal.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.StoreOptions;
import dev.tidemark.records.internal.opening.Opening;
import dev.tidemark.records.internal.query.Pages;
import dev.tidemark.records.internal.query.condition.Condition;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.condition.QuerySpec;
import dev.tidemark.records.internal.query.engine.PlanningEngine;
import dev.tidemark.records.internal.query.plan.Candidate;
import dev.tidemark.records.internal.query.plan.Plan;
import dev.tidemark.records.query.QueryLimits;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;

/** Intersections of indexes, one of which has a part of the primary key in front. */
class CommonKeysTest {
  private static final FieldType LONG = FieldType.Scalar.LONG;
  private static final int VALUES = 4;
  private static final TypeSpec SPEC =
      TypeSpec.of(
          "Cell",
          List.of(
              new FieldSpec(1, "x", LONG, false),
              new FieldSpec(2, "y", LONG, false),
              new FieldSpec(3, "z", LONG, false),
              new FieldSpec(4, "colour", LONG, false)),
          List.of(1, 2, 3));
  private static final RecordType<DynamicRecord> TYPE = DynamicRecord.type(SPEC);
  private static final Schema SCHEMA =
      Schema.of(
          1,
          List.of(TYPE),
          List.of(
              IndexSpec.of("by-y", "Cell", IndexKind.VALUE, List.of(ColumnSpec.of(2))),
              IndexSpec.of("by-colour", "Cell", IndexKind.VALUE, List.of(ColumnSpec.of(4)))));
  private static final Subspace ROOT = Subspace.of("cells");

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 6)
  void cursorsOfAnyLengthFindWhatOneFinds(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (Database database = EmbeddedDatabase.inMemory()) {
      RecordStore<DynamicRecord> store = RecordSpace.open(database, SCHEMA, ROOT).store(TYPE);
      database.run(tx -> fill(tx, store, random));
      PlanningEngine<DynamicRecord> engine =
          new PlanningEngine<>(Opening.open(database, SCHEMA, ROOT, StoreOptions.DEFAULTS), TYPE);
      QuerySpec query =
          QuerySpec.ALL.and(equal(2, random.nextInt(VALUES))).and(equal(4, random.nextInt(2)));
      List<Candidate> plans =
          database.read(
              tx ->
                  engine.plan(tx, query).candidates().stream()
                      .filter(plan -> plan.plan() instanceof Plan.Intersection)
                      .toList());
      assertThat(plans).isNotEmpty();
      for (Candidate plan : plans) {
        List<Key> whole = Pages.keys(database, engine, query, plan, QueryLimits.NONE);
        assertThat(whole).isNotEmpty();
        for (int rows = 1; rows < 8; rows++) {
          QueryLimits limits = QueryLimits.NONE.withScannedRows(rows);
          assertThat(Pages.keys(database, engine, query, plan, limits))
              .as("%d keys a cursor by %s", rows, plan)
              .isEqualTo(whole);
        }
      }
    }
  }

  private static void fill(
      Transaction tx, RecordStore<DynamicRecord> store, SplittableRandom random) {
    for (long x = 0; x < VALUES; x++) {
      for (long y = 0; y < VALUES; y++) {
        for (long z = 0; z < VALUES; z++) {
          DynamicRecord cell = DynamicRecord.of(SPEC).with("x", x).with("y", y).with("z", z);
          store.save(tx, cell.with("colour", (long) random.nextInt(2)));
        }
      }
    }
  }

  private static Condition equal(int field, long value) {
    return new Condition.Compare(
        ColumnSpec.of(field), Condition.Operator.EQ, new Operand.Value(value));
  }
}
