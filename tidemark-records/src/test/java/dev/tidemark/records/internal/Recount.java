package dev.tidemark.records.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.index.Contents;
import dev.tidemark.records.internal.index.Maintainer;
import dev.tidemark.records.internal.keys.StoreKeys.TypeKeys;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.StoredRows;
import dev.tidemark.records.internal.store.Records;
import dev.tidemark.records.schema.RecordType;
import java.util.List;
import java.util.SortedMap;

/** Builds every index of a store anew, in another store, and compares them key by key. */
public final class Recount {
  private final Space space;

  private Recount(Space space) {
    this.space = space;
  }

  /** Fails if an index of {@code space} is not what its records say. */
  public static void check(Space space) {
    space
        .database()
        .read(
            tx -> {
              new Recount(space).check(tx);
              return true;
            });
  }

  private void check(ReadTransaction tx) {
    try (Database other = EmbeddedDatabase.inMemory()) {
      other.run(rebuilt -> space.schema().types().forEach(type -> rebuild(tx, rebuilt, type)));
      other.run(rebuilt -> indexes(tx).forEach(index -> compare(tx, rebuilt, index)));
    }
  }

  private List<Maintainer> indexes(ReadTransaction tx) {
    return space.schema().indexes().stream()
        .map(index -> space.state(tx).maintainer(index.name()))
        .filter(index -> index.contents() != Contents.HISTORY)
        .toList();
  }

  private static void compare(ReadTransaction tx, ReadTransaction rebuilt, Maintainer index) {
    assertThat(rows(tx, index)).as(index.index().name()).isEqualTo(rows(rebuilt, index));
  }

  private <R> void rebuild(ReadTransaction tx, Transaction rebuilt, RecordType<R> type) {
    TypeKeys keys = space.state(tx).type(type.name()).keys();
    KeyRange all = keys.all();
    for (KeyValue version : tx.scan(keys.versions().prefixRange())) {
      rebuilt.set(version.key(), version.value());
    }
    List<Maintainer> indexes =
        indexes(tx).stream().filter(index -> index.index().type().equals(type.name())).toList();
    Records<R> records = Records.of(space, type);
    StoredRows<R> each = records.rows(tx, all);
    while (each.hasNext()) {
      R record = each.next().record();
      Tuple key = records.primaryKey(record);
      for (Maintainer index : indexes) {
        index.entries(record, key).forEach(entry -> index.add(rebuilt, entry, key));
      }
    }
  }

  /** All rows, but for totals of zero: whether those stay does not follow from the records. */
  private static SortedMap<String, String> rows(ReadTransaction tx, Maintainer index) {
    SortedMap<String, String> rows = IndexContents.rows(index.keys(), tx);
    if (index.contents() == Contents.TOTALS) {
      rows.values().removeIf(value -> value.matches("(00)+"));
    }
    return rows;
  }
}
