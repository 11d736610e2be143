package dev.tidemark.records.internal.store;

import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.index.GroupKey;
import dev.tidemark.records.internal.index.Grouped;
import dev.tidemark.records.internal.index.Maintainer;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.query.Group;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Reads the totals of groups from the aggregate indexes of one type. */
public final class Aggregates {
  private final Space space;
  private final RecordType<?> type;

  /** Reads indexes over {@code type} in {@code space}. */
  public Aggregates(Space space, RecordType<?> type) {
    this.space = space;
    this.type = type;
  }

  /** The total of one group in the index {@code name}, which must be of one of {@code kinds}. */
  public Optional<Object> one(
      ReadTransaction tx, String name, @Nullable Object[] group, IndexKind... kinds) {
    Maintainer maintainer = IndexReader.readable(space, type, tx, name);
    if (!Arrays.asList(kinds).contains(maintainer.index().kind())) {
      throw IndexReader.wrongKind(
          maintainer, "this is answered by indexes of kind " + Arrays.toString(kinds));
    }
    return one(tx, maintainer, grouped(maintainer), group);
  }

  /** The total of one group in the index {@code name}. */
  public Optional<Object> one(ReadTransaction tx, String name, @Nullable Object[] group) {
    Maintainer maintainer = IndexReader.readable(space, type, tx, name);
    return one(tx, maintainer, grouped(maintainer), group);
  }

  private static <P> Optional<Object> one(
      ReadTransaction tx, Maintainer maintainer, Grouped<P> index, @Nullable Object[] group) {
    Tuple key = GroupKey.whole(maintainer.index(), index.columns(), group);
    return index.result(index.total(tx, key).orElse(null));
  }

  /** The total of all groups that begin with {@code prefix} together. */
  public Optional<Object> rolledUp(ReadTransaction tx, String name, @Nullable Object[] prefix) {
    Maintainer maintainer = IndexReader.readable(space, type, tx, name);
    Grouped<?> index = grouped(maintainer);
    return index.rolledUp(tx, GroupKey.prefix(maintainer.index(), index.columns(), prefix));
  }

  /** The totals of the groups that begin with {@code prefix}, read as they are taken. */
  public Stream<Group> groups(ReadTransaction tx, String name, @Nullable Object[] prefix) {
    Maintainer maintainer = IndexReader.readable(space, type, tx, name);
    Grouped<?> index = grouped(maintainer);
    return groups(tx, index, GroupKey.prefix(maintainer.index(), index.columns(), prefix));
  }

  private static <P> Stream<Group> groups(ReadTransaction tx, Grouped<P> index, Tuple prefix) {
    Iterator<Grouped.Part<P>> parts = index.totals(tx, prefix);
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(parts, Spliterator.ORDERED), false)
        .flatMap(
            part ->
                index.result(part.total()).stream()
                    .map(value -> new Group(index.columns().values(part.group()), value)));
  }

  /**
   * The total of joined groups.
   *
   * @param group the elements of their first columns
   * @param value the total
   */
  public record Total(Tuple group, Object value) {}

  /**
   * Passes the totals of the groups that begin with {@code prefix} in the index {@code name},
   * joined where they agree in their first {@code width} columns.
   *
   * @param prefix elements of the first columns; aggregates have no descending ones
   * @param into gets one total after the other; an exception that it throws ends the read
   */
  public void joined(
      ReadTransaction tx,
      String name,
      List<@Nullable Object> prefix,
      int width,
      Consumer<Total> into) {
    Maintainer maintainer = IndexReader.readable(space, type, tx, name);
    joined(tx, grouped(maintainer), prefix, width, into);
  }

  private static <P> void joined(
      ReadTransaction tx,
      Grouped<P> index,
      List<@Nullable Object> prefix,
      int width,
      Consumer<Total> into) {
    Tuple group = null;
    P total = null;
    Iterator<Grouped.Part<P>> parts = index.totals(tx, Tuple.copyOf(prefix));
    while (parts.hasNext()) {
      Grouped.Part<P> part = parts.next();
      Tuple next = part.group().subTuple(0, width);
      if (total != null && group != null && next.equals(group)) {
        total = index.join(total, part.total());
      } else {
        give(index, group, total, into);
        total = part.total();
      }
      group = next;
    }
    give(index, group, total, into);
  }

  private static <P> void give(
      Grouped<P> index, @Nullable Tuple group, @Nullable P total, Consumer<Total> into) {
    if (group == null || total == null) {
      return;
    }
    index.result(total).ifPresent(value -> into.accept(new Total(group, value)));
  }

  /** The number of records, if a readable index counts all of them. */
  public Optional<Object> recordCount(ReadTransaction tx) {
    SpaceState state = space.state(tx);
    for (IndexSpec index : space.schema().indexes()) {
      if (index.type().equals(type.name())
          && index.kind() == IndexKind.COUNT
          && index.columns().isEmpty()
          && index.filter().comparisons().isEmpty()
          && state.state(index.name()).isReadable()) {
        return one(tx, index.name(), new Object[0]);
      }
    }
    return Optional.empty();
  }

  private static Grouped<?> grouped(Maintainer maintainer) {
    if (maintainer instanceof Grouped<?> grouped) {
      return grouped;
    }
    throw IndexReader.wrongKind(maintainer, "it says nothing about groups");
  }
}
