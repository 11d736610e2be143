package dev.tidemark.records.internal.store;

import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.IndexStateException;
import dev.tidemark.records.internal.index.Entry;
import dev.tidemark.records.internal.index.EntryLayout;
import dev.tidemark.records.internal.index.GroupKey;
import dev.tidemark.records.internal.index.IndexKeyRange;
import dev.tidemark.records.internal.index.Maintainer;
import dev.tidemark.records.internal.index.RankMaintainer;
import dev.tidemark.records.internal.index.SaveOrder;
import dev.tidemark.records.internal.index.Scannable;
import dev.tidemark.records.internal.index.ValueMaintainer;
import dev.tidemark.records.internal.keys.Columns;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.query.IndexEntry;
import dev.tidemark.records.query.IndexRange;
import dev.tidemark.records.query.TextQuery;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the indexes of one type entry by entry. */
public final class IndexReader<R> {
  private final Space space;
  private final RecordType<R> type;

  /** Reads indexes over {@code type} in {@code space}. */
  public IndexReader(Space space, RecordType<R> type) {
    this.space = space;
    this.type = type;
  }

  /** The index called {@code name}, if it is over {@code type} and can be read now. */
  static Maintainer readable(Space space, RecordType<?> type, ReadTransaction tx, String name) {
    SpaceState state = space.state(tx);
    Maintainer maintainer = state.maintainer(name);
    if (!maintainer.index().type().equals(type.name())) {
      throw new IllegalArgumentException(
          "The index '%s' is over %s, not over %s"
              .formatted(name, maintainer.index().type(), type.name()));
    }
    IndexState now = state.state(name);
    if (!now.isReadable()) {
      throw new IndexStateException(
          name,
          now,
          "The index '%s' is %s and cannot be read; build it with an OnlineIndexer first"
              .formatted(name, now));
    }
    return maintainer;
  }

  static IllegalArgumentException wrongKind(Maintainer maintainer, String what) {
    return new IllegalArgumentException(
        "The index '%s' is of kind %s; %s"
            .formatted(maintainer.index().name(), maintainer.index().kind(), what));
  }

  /** The entries of the index {@code name} in {@code range}, read as they are taken. */
  public Iterator<IndexEntry> entries(ReadTransaction tx, String name, IndexRange range) {
    Maintainer maintainer = scannable(tx, name);
    return each(tx, maintainer, range, row -> entry(maintainer, row));
  }

  /** The primary keys in those entries. */
  Iterator<Tuple> primaryKeys(ReadTransaction tx, String name, IndexRange range) {
    Maintainer maintainer = scannable(tx, name);
    return each(
        tx,
        maintainer,
        range,
        row -> maintainer.primaryKeyOf(maintainer.keys().entries().unpack(row.key())));
  }

  /** Without a stream, whose iterator costs more than everything else that is done with a row. */
  private static <T> Iterator<T> each(
      ReadTransaction tx, Maintainer maintainer, IndexRange range, Function<KeyValue, T> made) {
    KeyRange keys = IndexKeyRange.of(maintainer, layout(maintainer), range);
    if (range.reverse()) {
      SaveOrder.of(tx).checkReadable(keys);
    }
    Iterator<KeyValue> rows = rows(tx, keys, range).iterator();
    return new Iterator<>() {
      private long taken;

      @Override
      public boolean hasNext() {
        if (rows.hasNext()) {
          return true;
        }
        if (range.limit() == 0 || taken < range.limit()) {
          // Own entries without a versionstamp would come last.
          SaveOrder.of(tx).checkReadable(keys);
        }
        return false;
      }

      @Override
      public T next() {
        taken++;
        return made.apply(rows.next());
      }
    };
  }

  private Maintainer scannable(ReadTransaction tx, String name) {
    Maintainer maintainer = readable(space, type, tx, name);
    if (!(maintainer instanceof Scannable)) {
      throw wrongKind(maintainer, "it has no entries of single records; read its groups");
    }
    return maintainer;
  }

  private static EntryLayout layout(Maintainer maintainer) {
    return ((Scannable) maintainer).layout();
  }

  private static Scan rows(ReadTransaction tx, KeyRange keys, IndexRange range) {
    Scan rows = tx.scan(keys);
    Scan ordered = range.reverse() ? rows.reverse() : rows;
    return range.limit() == 0 ? ordered : ordered.limit(range.limit());
  }

  private static IndexEntry entry(Maintainer maintainer, KeyValue row) {
    EntryLayout layout = layout(maintainer);
    Tuple key = maintainer.keys().entries().unpack(row.key());
    List<@Nullable Object> columns = layout.columns().values(key);
    if (layout.isStamped()) {
      columns.add(key.get(layout.width() - 1));
    }
    List<@Nullable Object> covering =
        maintainer instanceof ValueMaintainer index && index.covering().size() > 0
            ? index.covering().values(Tuple.unpack(row.value()))
            : List.of();
    return new IndexEntry(columns, covering, layout.primaryKey(key));
  }

  // ---- ranks

  /** The number of records of its group before the one with {@code primaryKey}. */
  public OptionalLong rank(ReadTransaction tx, String name, Tuple primaryKey) {
    RankMaintainer ranks = ranks(tx, name);
    Optional<R> record = Records.of(space, type).load(tx, primaryKey);
    List<Entry> entries = record.isEmpty() ? List.of() : ranks.entries(record.get(), primaryKey);
    if (entries.size() > 1) {
      throw new IllegalArgumentException(
          "The record %s has %d places in the index '%s'; ask for one of its values with countBelow"
              .formatted(primaryKey, entries.size(), name));
    }
    return entries.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(ranks.countBefore(tx, entries.getFirst().key()));
  }

  /** The number of records of the group before all those that have {@code columns}. */
  public long countBelow(ReadTransaction tx, String name, @Nullable Object[] columns) {
    RankMaintainer ranks = ranks(tx, name);
    Columns own = ranks.layout().columns();
    if (columns.length != own.size()) {
      throw new IllegalArgumentException(
          "The index '%s' has the columns %s; %d values were given"
              .formatted(name, own.names(), columns.length));
    }
    return ranks.countBefore(
        tx, IndexKeyRange.elements(ranks.index(), own, Arrays.asList(columns)));
  }

  /** The record with {@code rank} in the group. */
  public Optional<R> atRank(ReadTransaction tx, String name, long rank, @Nullable Object[] group) {
    if (rank < 0) {
      throw new IllegalArgumentException("Ranks begin at 0; %d was given".formatted(rank));
    }
    RankMaintainer ranks = ranks(tx, name);
    Tuple key = GroupKey.whole(ranks.index(), ranks.layout().columns(), group);
    return ranks.at(tx, key, rank).flatMap(pk -> Records.of(space, type).load(tx, pk));
  }

  private RankMaintainer ranks(ReadTransaction tx, String name) {
    Maintainer maintainer = readable(space, type, tx, name);
    if (maintainer instanceof RankMaintainer ranks) {
      return ranks;
    }
    throw wrongKind(maintainer, "ranks are kept by indexes of kind " + IndexKind.RANK);
  }

  // ---- records

  /** The records of the entries in {@code range}, in their order, loaded some at a time. */
  public Iterator<R> records(ReadTransaction tx, String name, IndexRange range) {
    return new Loader(tx, primaryKeys(tx, name, range), range.limit());
  }

  /**
   * The records whose texts match {@code query}, in the order of their primary keys, loaded in
   * portions.
   */
  public Iterator<R> search(
      ReadTransaction tx, String name, TextQuery query, @Nullable Object[] group) {
    return new Loader(tx, TextSearch.find(space, type, tx, name, query, group), 0);
  }

  /** Loads records in growing portions, so that a caller that takes a few pays for a few. */
  private final class Loader implements Iterator<R> {
    private static final int FIRST = 8;
    private static final int LARGEST = 256;

    private final ReadTransaction tx;
    private final Iterator<Tuple> keys;
    private Iterator<R> loaded = Collections.emptyIterator();
    private int portion;

    /** Loads the records with {@code keys}; {@code limit} of them if that is not 0. */
    Loader(ReadTransaction tx, Iterator<Tuple> keys, int limit) {
      this.tx = tx;
      this.keys = keys;
      this.portion = limit == 0 ? FIRST : Math.min(limit, LARGEST);
    }

    @Override
    public boolean hasNext() {
      while (!loaded.hasNext() && keys.hasNext()) {
        loaded = load();
        portion = Math.min(2 * portion, LARGEST);
      }
      return loaded.hasNext();
    }

    private Iterator<R> load() {
      List<Tuple> wanted = new ArrayList<>(portion);
      while (wanted.size() < portion && keys.hasNext()) {
        wanted.add(keys.next());
      }
      Records<R> records = Records.of(space, type);
      return wanted.size() == 1
          ? records.load(tx, wanted.getFirst()).stream().iterator()
          : records.loadEach(tx, wanted).iterator();
    }

    @Override
    public R next() {
      if (!hasNext()) {
        throw new NoSuchElementException("There are no more records");
      }
      return loaded.next();
    }
  }
}
