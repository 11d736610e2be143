package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.format.LittleEndian;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * The elements of a group are entries of the index; that is level 0. On each level above, about one in
 * sixteen elements of the level below has a node, which holds how many elements there are from it to the
 * next node of its level. A head without an element stands for those before the first node, and is absent
 * when there are none. Which levels an element reaches follows from a hash of it, so that the same elements
 * always give the same nodes, however they came.
 *
 * An element that has no node on a level is counted by an ADD to the node before it. Transactions that only
 * do this do not conflict, not even in the same place: the node before is found with a snapshot read, and
 * the transaction conflicts only if a node comes between or if that node goes. The latter is seen at the
 * entry of the node's element, which no ADD writes. An element that has a node reads how many elements are
 * between it and the next node, from the level below; whoever changed that meanwhile wrote one of the nodes
 * or entries that were read.
 */

/** Ordered sets of elements, one for each group, with the rank of each element. */
final class SkipList {
  static final int LEVELS = 5;
  private static final int BITS_A_LEVEL = 4;
  private static final byte[] ZERO = LittleEndian.bytes(0);
  private static final byte[] NOTHING = {};

  private final Subspace entries;
  private final Subspace nodes;

  SkipList(Subspace entries, Subspace nodes) {
    this.entries = entries;
    this.nodes = nodes;
  }

  /** Adds {@code element} to {@code group} if it is not there. */
  void add(Transaction tx, Tuple group, Tuple element) {
    Row row = new Row(group, element);
    if (tx.get(row.entry()).isPresent()) {
      return;
    }
    tx.set(row.entry(), NOTHING);
    int top = topLevel(element);
    for (int level = 1; level <= LEVELS; level++) {
      Key before = nodeBefore(tx, row, level);
      if (level > top) {
        change(tx, before, 1);
      } else {
        long count = countToNextNode(tx, row, level);
        tx.set(row.node(level), LittleEndian.bytes(count));
        change(tx, before, 1 - count);
      }
    }
  }

  /** Takes {@code element} out of {@code group} if it is there. */
  void remove(Transaction tx, Tuple group, Tuple element) {
    Row row = new Row(group, element);
    if (tx.get(row.entry()).isEmpty()) {
      return;
    }
    tx.clear(row.entry());
    int top = topLevel(element);
    for (int level = 1; level <= LEVELS; level++) {
      Key before = nodeBefore(tx, row, level);
      if (level > top) {
        change(tx, before, -1);
      } else {
        Key node = row.node(level);
        long count = LittleEndian.number(tx.get(node).orElse(ZERO));
        tx.clear(node);
        change(tx, before, count - 1);
      }
    }
  }

  /** How many elements of {@code group} come before {@code bound}, which need not be one. */
  long countBefore(ReadTransaction tx, Tuple group, Tuple bound) {
    return countBefore(tx, group, bound.pack(), row -> {});
  }

  /** The same for bytes that need not be a whole element; {@code read} gets each row. */
  long countBefore(ReadTransaction tx, Tuple group, byte[] bound, Consumer<KeyValue> read) {
    long count = 0;
    Tuple from = Tuple.EMPTY;
    for (int level = LEVELS; level > 0; level--) {
      Subspace place = level(group, level);
      KeyValue last = null;
      for (KeyValue node : tx.scan(KeyRange.of(place.pack(from), place.prefix().append(bound)))) {
        read.accept(node);
        count += last == null ? 0 : LittleEndian.number(last.value());
        last = node;
      }
      from = last == null ? from : place.unpack(last.key());
    }
    Key begin = entries.pack(group.concat(from));
    for (KeyValue entry : small(tx, KeyRange.of(begin, entries.pack(group).append(bound)))) {
      read.accept(entry);
      count++;
    }
    return count;
  }

  /** The element of {@code group} before which there are {@code place} others. */
  Optional<Tuple> at(ReadTransaction tx, Tuple group, long place) {
    return keyAt(tx, group, place, row -> {}).map(entries::unpack);
  }

  /** The entry of that element; {@code read} gets each row. */
  Optional<Key> keyAt(ReadTransaction tx, Tuple group, long place, Consumer<KeyValue> read) {
    if (place < 0) {
      return Optional.empty();
    }
    long left = place;
    Tuple from = Tuple.EMPTY;
    for (int level = LEVELS; level > 0; level--) {
      Subspace nodesHere = level(group, level);
      Key begin = nodesHere.pack(from);
      KeyValue into = null;
      for (KeyValue node : small(tx, KeyRange.of(begin, nodesHere.prefix().append((byte) 0xff)))) {
        read.accept(node);
        long count = LittleEndian.number(node.value());
        if (left < count) {
          into = node;
          break;
        }
        left -= count;
      }
      if (into == null) {
        return Optional.empty();
      }
      from = nodesHere.unpack(into.key());
    }
    Key begin = entries.pack(group.concat(from));
    Key end = entries.pack(group).append((byte) 0xff);
    List<KeyValue> rows = tx.scan(KeyRange.of(begin, end)).limit(Math.toIntExact(left + 1)).list();
    rows.forEach(read);
    return rows.size() == left + 1 ? Optional.of(rows.getLast().key()) : Optional.empty();
  }

  /** About sixteen rows are read of each level. */
  private static Scan small(ReadTransaction tx, KeyRange range) {
    return tx.scan(range).mode(ScanMode.SMALL);
  }

  private Subspace level(Tuple group, int level) {
    return nodes.sub(group.append(level));
  }

  /** An element with the keys that it has, or would have. */
  private final class Row {
    private final Tuple group;
    private final Tuple element;

    Row(Tuple group, Tuple element) {
      this.group = group;
      this.element = element;
    }

    Key entry() {
      return entries.pack(group.concat(element));
    }

    Key node(int level) {
      return nodes.pack(group.append(level).concat(element));
    }

    /** The entry of the element whose node is {@code node} on {@code level}. */
    Key entryOf(Key node, int level) {
      return entries.pack(group.concat(level(group, level).unpack(node)));
    }
  }

  /** The node, or head, that counts the elements right before {@code row}. */
  private Key nodeBefore(Transaction tx, Row row, int level) {
    Key begin = level(row.group, level).range().begin();
    Key end = row.node(level);
    Key found = firstKey(tx.snapshot().scan(KeyRange.of(begin, end)).reverse());
    tx.addReadConflict(KeyRange.of(found == null ? begin : found.next(), end));
    if (found == null) {
      return level(row.group, level).prefix();
    }
    tx.addReadConflict(row.entryOf(found, level));
    return found;
  }

  /**
   * How many elements there are from {@code row} on to the next node of {@code level}. A node that
   * comes between has an entry, and a node on the level below, among those that are counted.
   */
  private long countToNextNode(Transaction tx, Row row, int level) {
    Key begin = row.node(level).next();
    Key end = level(row.group, level).range().end();
    Key next = firstKey(tx.snapshot().scan(KeyRange.of(begin, end)));
    Tuple until = null;
    if (next != null) {
      tx.addReadConflict(row.entryOf(next, level));
      until = level(row.group, level).unpack(next);
    }
    return level == 1 ? countEntries(tx, row, until) : sum(tx, row, level - 1, until);
  }

  private long countEntries(Transaction tx, Row row, @Nullable Tuple until) {
    Key end =
        until == null
            ? entries.pack(row.group).append((byte) 0xff)
            : entries.pack(row.group.concat(until));
    long count = 0;
    for (KeyValue ignored : tx.scan(KeyRange.of(row.entry(), end))) {
      count++;
    }
    return count;
  }

  private long sum(Transaction tx, Row row, int level, @Nullable Tuple until) {
    Subspace place = level(row.group, level);
    Key end = until == null ? place.range().end() : place.pack(until);
    long sum = 0;
    for (KeyValue node : tx.scan(KeyRange.of(row.node(level), end))) {
      sum += LittleEndian.number(node.value());
    }
    return sum;
  }

  private static void change(Transaction tx, Key node, long by) {
    if (by != 0) {
      tx.mutate(MutationType.ADD, node, LittleEndian.bytes(by));
    }
    if (by < 0) {
      tx.mutate(MutationType.COMPARE_AND_CLEAR, node, ZERO);
    }
  }

  private static @Nullable Key firstKey(Scan scan) {
    return scan.first().map(KeyValue::key).orElse(null);
  }

  /** The highest level on which {@code element} has a node; FNV-1a with its bits mixed. */
  static int topLevel(Tuple element) {
    long hash = 0xcbf29ce484222325L;
    for (byte next : element.pack()) {
      hash = (hash ^ (next & 0xff)) * 0x100000001b3L;
    }
    long mixed = (hash ^ (hash >>> 32)) * 0x9e3779b97f4a7c15L;
    return Math.min(LEVELS, Long.numberOfLeadingZeros(mixed) / BITS_A_LEVEL);
  }
}
