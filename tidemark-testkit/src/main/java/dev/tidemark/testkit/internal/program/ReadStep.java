package dev.tidemark.testkit.internal.program;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/** A read in a random program. Its answer is text, the same from a store and from a sorted map. */
public sealed interface ReadStep extends Step {
  /** Whether the read is made without conflicts. */
  boolean snapshot();

  /** What a store answers. */
  String ask(ReadTransaction tx);

  /** What a sorted map answers. */
  String expect(NavigableMap<Key, byte[]> model);

  /** Makes the read in {@code tx}. */
  default String run(Transaction tx) {
    return ask(snapshot() ? tx.snapshot() : tx);
  }

  /** The value of one key. */
  record Get(Key key, boolean snapshot) implements ReadStep {
    @Override
    public String ask(ReadTransaction tx) {
      return tx.get(key).map(ReadStep::text).orElse("absent");
    }

    @Override
    public String expect(NavigableMap<Key, byte[]> model) {
      return Optional.ofNullable(model.get(key)).map(ReadStep::text).orElse("absent");
    }
  }

  /** The values of several keys. */
  record GetAll(List<Key> keys, boolean snapshot) implements ReadStep {
    @Override
    public String ask(ReadTransaction tx) {
      return rows(tx.getAll(keys));
    }

    @Override
    public String expect(NavigableMap<Key, byte[]> model) {
      Map<Key, byte[]> found = new LinkedHashMap<>();
      for (Key key : keys) {
        Optional.ofNullable(model.get(key)).ifPresent(value -> found.put(key, value));
      }
      return rows(found);
    }

    private static String rows(Map<Key, byte[]> found) {
      List<String> rows = new ArrayList<>();
      found.forEach((key, value) -> rows.add(row(key, value)));
      return rows.toString();
    }
  }

  /** A key by its position. */
  record Locate(KeySelector selector, boolean snapshot) implements ReadStep {
    @Override
    public String ask(ReadTransaction tx) {
      return tx.getKey(selector).toHex();
    }

    @Override
    public String expect(NavigableMap<Key, byte[]> model) {
      return position(model, selector).toHex();
    }
  }

  /** The rows between two positions; a limit of zero is none. */
  record Rows(
      KeySelector begin,
      KeySelector end,
      int limit,
      boolean reverse,
      ScanMode mode,
      boolean snapshot)
      implements ReadStep {
    @Override
    public String ask(ReadTransaction tx) {
      Scan scan = tx.scan(begin, end).mode(mode);
      scan = limit == 0 ? scan : scan.limit(limit);
      List<String> rows = new ArrayList<>();
      for (KeyValue row : reverse ? scan.reverse() : scan) {
        rows.add(row(row.key(), row.value()));
      }
      return rows.toString();
    }

    @Override
    public String expect(NavigableMap<Key, byte[]> model) {
      Key from = position(model, begin);
      Key to = position(model, end);
      List<String> rows = new ArrayList<>();
      if (from.compareTo(to) < 0) {
        model.subMap(from, true, to, false).forEach((key, value) -> rows.add(row(key, value)));
      }
      if (reverse) {
        Collections.reverse(rows);
      }
      return (limit == 0 || limit > rows.size() ? rows : rows.subList(0, limit)).toString();
    }
  }

  private static Key position(NavigableMap<Key, byte[]> model, KeySelector selector) {
    List<Key> keys = List.copyOf(model.keySet());
    int index = model.headMap(selector.key(), selector.orEqual()).size() - 1 + selector.offset();
    return index < 0 ? Key.EMPTY : index >= keys.size() ? Key.END : keys.get(index);
  }

  private static String row(Key key, byte[] value) {
    return key.toHex() + "=" + text(value);
  }

  private static String text(byte[] value) {
    String hex = HexFormat.of().formatHex(value);
    return hex.length() <= 32
        ? hex
        : hex.substring(0, 16) + "..(" + value.length + " bytes, hash " + hex.hashCode() + ")";
  }
}
