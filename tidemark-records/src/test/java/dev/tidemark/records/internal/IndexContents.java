package dev.tidemark.records.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.internal.space.Space;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What the indexes of a store really hold. */
public final class IndexContents {
  private IndexContents() {}

  /** The rows of {@code index}, by their keys without the prefix. */
  public static SortedMap<String, String> rows(Space space, ReadTransaction tx, String index) {
    return rows(keys(space, tx, index), tx);
  }

  /** The rows of the index at {@code keys}, by their keys without the prefix. */
  static SortedMap<String, String> rows(IndexKeys keys, ReadTransaction tx) {
    SortedMap<String, String> rows = new TreeMap<>();
    add(tx, keys.entries(), "entry ", rows);
    add(tx, keys.secondary(), "secondary ", rows);
    return rows;
  }

  private static void add(
      ReadTransaction tx, Subspace part, String name, SortedMap<String, String> rows) {
    for (KeyValue row : tx.scan(part.prefixRange())) {
      Key key = row.key();
      rows.put(
          name + key.toHex().substring(2 * part.prefix().size()),
          HexFormat.of().formatHex(row.value()));
    }
  }

  /** Where the parts of {@code index} are. */
  public static IndexKeys keys(Space space, ReadTransaction tx, String index) {
    return space.state(tx).maintainer(index).keys();
  }

  /** All keys of all indexes that the store has or ever had, those of the states aside. */
  public static List<Key> leftovers(Space space, ReadTransaction tx) {
    return IntStream.range(0, space.state(tx).header().nextId())
        .mapToObj(id -> space.keys().index(id))
        .flatMap(
            keys ->
                Stream.of(
                    keys.entries(),
                    keys.secondary(),
                    keys.builtSpace(),
                    keys.violations(),
                    keys.build(),
                    keys.scrub()))
        .flatMap(part -> tx.scan(part.prefixRange()).stream())
        .map(KeyValue::key)
        .toList();
  }
}
