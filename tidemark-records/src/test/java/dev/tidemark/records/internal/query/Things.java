package dev.tidemark.records.internal.query;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.StoreOptions;
import dev.tidemark.records.internal.opening.Opening;
import dev.tidemark.records.internal.query.engine.PlanningEngine;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.util.List;
import java.util.SplittableRandom;

/** A store with random things: single values that can be null or not, and lists. */
final class Things {
  static final TypeSpec SPEC =
      TypeSpec.of(
          "Thing",
          List.of(
              new FieldSpec(1, "part", FieldType.Scalar.LONG, false),
              new FieldSpec(2, "id", FieldType.Scalar.LONG, false),
              new FieldSpec(3, "a", FieldType.Scalar.LONG, true),
              new FieldSpec(4, "b", FieldType.Scalar.LONG, false),
              new FieldSpec(5, "text", FieldType.Scalar.STRING, true),
              new FieldSpec(6, "real", FieldType.Scalar.DOUBLE, true),
              new FieldSpec(7, "tags", new FieldType.ListOf(FieldType.Scalar.STRING), false),
              new FieldSpec(
                  8,
                  "items",
                  new FieldType.ListOf(
                      new FieldType.Nested(
                          "Item",
                          List.of(
                              new FieldSpec(1, "sku", FieldType.Scalar.STRING, true),
                              new FieldSpec(2, "count", FieldType.Scalar.LONG, false)))),
                  false)),
          List.of(1, 2));
  static final RecordType<DynamicRecord> TYPE = DynamicRecord.type(SPEC);
  private static final Subspace ROOT = Subspace.of("things");
  final RecordStore<DynamicRecord> store;
  final PlanningEngine<DynamicRecord> engine;
  private final AnyValues values;

  Things(Database database, List<IndexSpec> indexes, SplittableRandom random) {
    Schema schema = Schema.of(1, List.of(TYPE), indexes);
    this.store = RecordSpace.open(database, schema, ROOT).store(TYPE);
    this.engine =
        new PlanningEngine<>(Opening.open(database, schema, ROOT, StoreOptions.DEFAULTS), TYPE);
    this.values = new AnyValues(random);
  }

  /** Saves a random thing with this primary key. */
  DynamicRecord save(Transaction tx, long part, long id) {
    return store.save(
        tx, values.record(SPEC.name(), SPEC.fields()).with("part", part).with("id", id));
  }
}
