package dev.tidemark.records.internal.store;

import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.TooManyRecordsException;
import dev.tidemark.records.internal.changes.Capture;
import dev.tidemark.records.internal.index.Contents;
import dev.tidemark.records.internal.index.OpenType;
import dev.tidemark.records.internal.index.OpenType.OpenIndex;
import dev.tidemark.records.internal.index.SaveOrder;
import dev.tidemark.records.internal.keys.KeySpan;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.List;

/*
 * Consecutive records are cleared as one range if all their rows in indexes form ranges too:
 * if the columns of each index begin with the fields of the primary key that say which records are meant.
 * Then nothing is read. Otherwise the records are read one by one and deleted as single records are.
 */

/** Deletes consecutive records in the order of their primary keys. */
final class RangeDelete<R> {
  private final Space space;
  private final RecordType<R> type;

  RangeDelete(Space space, RecordType<R> type) {
    this.space = space;
    this.type = type;
  }

  void run(Transaction tx, KeySpan span) {
    if (span.begin().compareTo(span.end()) >= 0) {
      return;
    }
    SpaceState state = space.writableState(tx);
    OpenType open = state.type(type.name());
    if (!Capture.of(space).watches(tx, state, type.name()) && isOneClear(open, span)) {
      clear(tx, open, span);
    } else {
      deleteEach(tx, state, span);
    }
  }

  private boolean isOneClear(OpenType open, KeySpan span) {
    return Records.of(space, type).writes().relations().isEmpty()
        && open.indexes().stream().allMatch(index -> isOneClear(index, span.fields()));
  }

  private String whyOneByOne(SpaceState state, KeySpan span) {
    return Capture.of(space)
        .whyOneByOne(state, type.name())
        .orElseGet(() -> whyOneByOne(state.type(type.name()), span));
  }

  private String whyOneByOne(OpenType open, KeySpan span) {
    return open.indexes().stream()
        .filter(index -> !isOneClear(index, span.fields()))
        .findFirst()
        .map(
            index ->
                "the index '%s' is not ordered by the primary key, or not readable"
                    .formatted(index.maintainer().index().name()))
        .orElse("other records may refer to them");
  }

  /** A running build and a list of violations track single records. */
  private boolean isOneClear(OpenIndex open, int fields) {
    IndexSpec index = open.maintainer().index();
    return switch (index.kind()) {
      case COUNT_UPDATES, MIN_EVER, MAX_EVER -> true;
      case VALUE, VERSION, MIN, MAX ->
          open.state() == IndexState.READABLE && beginsWithKey(index.columns(), fields);
      case COUNT, COUNT_NOT_NULL, SUM, AVERAGE, RANK, TEXT ->
          open.state() == IndexState.READABLE
              && beginsWithKey(index.columns().subList(0, index.groupColumns()), fields);
    };
  }

  private boolean beginsWithKey(List<ColumnSpec> columns, int fields) {
    List<ColumnSpec> key =
        type.spec().primaryKey().stream().limit(fields).map(ColumnSpec::of).toList();
    return columns.size() >= fields && columns.subList(0, fields).equals(key);
  }

  private void clear(Transaction tx, OpenType open, KeySpan span) {
    tx.clear(span.in(open.keys().space()));
    tx.clear(span.in(open.keys().versions()));
    for (OpenIndex index : open.indexes()) {
      if (index.maintainer().contents() != Contents.HISTORY) {
        KeyRange entries = span.in(index.maintainer().keys().entries());
        tx.clear(entries);
        tx.clear(span.in(index.maintainer().keys().secondary()));
        SaveOrder.of(tx).clearStamped(entries);
      }
    }
  }

  private void deleteEach(Transaction tx, SpaceState state, KeySpan span) {
    Records<R> records = Records.of(space, type);
    KeyRange range = span.in(state.type(type.name()).keys().space());
    List<Tuple> found = records.keysIn(tx, range, DeletePlan.RECORDS_MAX + 1);
    if (found.size() > DeletePlan.RECORDS_MAX) {
      throw new TooManyRecordsException(
          "More than %,d records of type %s would be deleted in one transaction, one by one because %s. Delete smaller parts of the range, each in a transaction of its own, or use query().delete(), which does that"
              .formatted(DeletePlan.RECORDS_MAX, type.name(), whyOneByOne(state, span)),
          DeletePlan.RECORDS_MAX);
    }
    DeletePlan.of(space, tx, type, found).forEach(Pending::apply);
  }
}
