package dev.tidemark.records.internal.store;

import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RelationshipException;
import dev.tidemark.records.internal.index.ValueMaintainer;
import dev.tidemark.records.internal.keys.ColumnReader;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The references to records of one type, with their fields and delete rules. */
final class Relations {
  private final Space space;
  private final List<Referrer> referrers;

  /** A field that holds keys of the type. */
  record Referrer(RecordType<?> type, FieldSpec field, DeleteRule onDelete) {}

  Relations(Space space, RecordType<?> target) {
    this.space = space;
    List<Referrer> found = new ArrayList<>();
    for (RecordType<?> type : space.schema().types()) {
      for (TypeSpec.Relation relation : type.spec().relationships()) {
        if (relation.target().equals(target.name())
            && relation.onDelete() != DeleteRule.NO_ACTION) {
          FieldSpec field = type.spec().field(relation.field()).orElseThrow();
          found.add(new Referrer(type, field, relation.onDelete()));
        }
      }
    }
    this.referrers = List.copyOf(found);
  }

  boolean isEmpty() {
    return referrers.isEmpty();
  }

  List<Referrer> referrers() {
    return referrers;
  }

  /** The primary keys of the records of {@code referrer} that refer to {@code target}. */
  Set<Tuple> referring(Transaction tx, Referrer referrer, Tuple target) {
    Optional<ValueMaintainer> index = index(tx, referrer);
    return index.isPresent() ? byIndex(tx, index.get(), target) : byScan(tx, referrer, target);
  }

  private Optional<ValueMaintainer> index(Transaction tx, Referrer referrer) {
    ColumnSpec column = ColumnSpec.ofAll(referrer.field());
    return space.state(tx).readableFor(IndexSpec.implied(referrer.type().name(), column));
  }

  private static Set<Tuple> byIndex(Transaction tx, ValueMaintainer index, Tuple target) {
    Set<Tuple> found = new LinkedHashSet<>();
    for (KeyValue row : tx.scan(index.keys().entriesStartingWith(target))) {
      found.add(index.primaryKeyOf(index.keys().entries().unpack(row.key())));
      checkCount(found.size(), target);
    }
    return found;
  }

  private Set<Tuple> byScan(Transaction tx, Referrer referrer, Tuple target) {
    Set<Tuple> found = new LinkedHashSet<>();
    collect(tx, Records.of(space, referrer.type()), referrer, target, found);
    return found;
  }

  private static <R> void collect(
      Transaction tx, Records<R> records, Referrer referrer, Tuple target, Set<Tuple> into) {
    ColumnReader reader = ColumnReader.of(referrer.type(), ColumnSpec.ofAll(referrer.field()));
    Object wanted = target.get(0);
    records
        .scan(tx, records.keyRange(tx, Tuple.EMPTY), false)
        .forEachRemaining(
            record -> {
              if (reader.all(record).stream()
                  .anyMatch(value -> Tuple.of(value).equals(Tuple.of(wanted)))) {
                into.add(records.primaryKey(record));
                checkCount(into.size(), target);
              }
            });
  }

  private static void checkCount(int count, Tuple target) {
    if (count > DeletePlan.RECORDS_MAX) {
      throw new RelationshipException(
          "More than %,d records refer to %s; delete or change them first, in several transactions"
              .formatted(DeletePlan.RECORDS_MAX, target));
    }
  }
}
