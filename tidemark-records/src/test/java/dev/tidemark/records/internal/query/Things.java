package dev.tidemark.records.internal.query;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Subspace;
import dev.tidemark.kv.Transaction;
import dev.tidemark.records.ColumnSpec;
import dev.tidemark.records.DynamicRecord;
import dev.tidemark.records.FieldSpec;
import dev.tidemark.records.FieldType;
import dev.tidemark.records.IndexSpec;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.RecordType;
import dev.tidemark.records.Schema;
import dev.tidemark.records.StoreOptions;
import dev.tidemark.records.internal.Opening;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A store with random things of {@link RandomQueries#TYPE}. */
final class Things {
  static final RecordType<DynamicRecord> TYPE = DynamicRecord.type(RandomQueries.TYPE);
  private static final Subspace ROOT = Subspace.of("things");
  private static final FieldType.Nested ITEM =
      (FieldType.Nested)
          ((FieldType.ListOf) RandomQueries.TYPE.field("items").orElseThrow().type()).element();

  final RecordStore<DynamicRecord> store;
  final RealQueryEngine<DynamicRecord> engine;
  private final RandomQueries values;
  private final SplittableRandom random;

  Things(Database database, List<IndexSpec> indexes, SplittableRandom random) {
    Schema schema = Schema.of(1, List.of(TYPE), indexes);
    this.store = RecordSpace.open(database, schema, ROOT).store(TYPE);
    this.engine =
        new RealQueryEngine<>(Opening.open(database, schema, ROOT, StoreOptions.DEFAULTS), TYPE);
    this.values = new RandomQueries(random);
    this.random = random;
  }

  /** Saves a random thing with this primary key. */
  DynamicRecord save(Transaction tx, long part, long id) {
    DynamicRecord thing = DynamicRecord.of(RandomQueries.TYPE).with("part", part).with("id", id);
    for (FieldSpec field : RandomQueries.TYPE.fields().subList(2, 6)) {
      Object value = values.valueOrNull(ColumnSpec.of(field.number()));
      thing = value == null ? thing : thing.with(field.name(), value);
    }
    List<String> tags = new ArrayList<>();
    List<DynamicRecord> items = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      tags.add((String) values.value(ColumnSpec.of(5)));
      DynamicRecord item = DynamicRecord.of(ITEM).with("count", (long) random.nextInt(4));
      Object sku = values.valueOrNull(ColumnSpec.of(5));
      items.add(sku == null ? item : item.with("sku", sku));
    }
    return store.save(tx, thing.with("tags", tags).with("items", items));
  }
}
