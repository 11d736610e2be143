package dev.tidemark.records.internal.query.plan;

import dev.tidemark.records.internal.query.condition.TextConditions;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An access path to the records of a type: a readable index, or the records in the order of their
 * primary keys.
 *
 * @param index the name of the index; empty for the records themselves
 * @param key the columns of the key of an entry: those of the index, then what they lack of the
 *     primary key
 * @param width the number of them that are columns of the index; for the records, all
 * @param covering the columns in the value of an entry
 * @param filter the comparisons that all records with entries meet; empty if all records have one
 * @param unique whether no two records have the same columns, unless one of them is null
 * @param rankedIn for an index of kind RANK, the number of columns of the group in which it counts
 *     entries
 * @param statistics what is known or guessed about the entries
 */
public record Route(
    Optional<String> index,
    List<ColumnSpec> key,
    int width,
    List<ColumnSpec> covering,
    List<IndexFilter.Comparison> filter,
    boolean unique,
    OptionalInt rankedIn,
    IndexStatistics statistics) {
  /** Copies the lists. */
  public Route {
    key = List.copyOf(key);
    covering = List.copyOf(covering);
    filter = List.copyOf(filter);
  }

  static Route records(TypeSpec type, TypeStatistics statistics) {
    List<ColumnSpec> key = type.primaryKey().stream().map(ColumnSpec::of).toList();
    return new Route(
        Optional.empty(),
        key,
        key.size(),
        List.of(),
        List.of(),
        true,
        OptionalInt.empty(),
        statistics.primaryKey().orElseGet(() -> new Guess(statistics.rows(), key.size(), true)));
  }

  /** The route through {@code index}, for which {@link #isOne} must be true. */
  public static Route through(
      TypeSpec type, IndexSpec index, boolean unique, TypeStatistics statistics) {
    return new Route(
        Optional.of(index.name()),
        key(type, index),
        index.columns().size(),
        index.covering(),
        filter(type, index),
        unique,
        index.kind() == IndexKind.RANK ? OptionalInt.of(index.groupColumns()) : OptionalInt.empty(),
        statistics
            .index(index.name())
            .orElseGet(() -> new Guess(statistics.rows(), index.columns().size(), unique)));
  }

  /** An entry for a word has the whole primary key, also where the group has a part of it. */
  private static List<ColumnSpec> key(TypeSpec type, IndexSpec index) {
    boolean text = index.kind() == IndexKind.TEXT;
    List<ColumnSpec> key = new ArrayList<>(index.columns());
    if (text) {
      key.add(TextConditions.words(key.removeLast()));
    }
    for (int field : type.primaryKey()) {
      if (text || !key.contains(ColumnSpec.of(field))) {
        key.add(ColumnSpec.of(field));
      }
    }
    return key;
  }

  /** Whether {@code index} has entries for each record that meets its filter. */
  static boolean isOne(IndexSpec index) {
    return switch (index.kind()) {
      case VALUE, RANK, MIN, MAX, TEXT -> !index.columns().isEmpty();
      case COUNT, COUNT_NOT_NULL, COUNT_UPDATES, SUM, MIN_EVER, MAX_EVER, AVERAGE, VERSION -> false;
    };
  }

  /**
   * The filter of a route: indexes other than VALUE have no entries for records without a value.
   */
  private static List<IndexFilter.Comparison> filter(TypeSpec type, IndexSpec index) {
    List<IndexFilter.Comparison> filter = new ArrayList<>(index.filter().comparisons());
    ColumnSpec value = new ColumnSpec(index.columns().getLast().path(), false);
    if (index.kind() != IndexKind.VALUE && (value.fansOut() || Catalog.isNullable(type, value))) {
      filter.add(new IndexFilter.Comparison(value, IndexFilter.Operator.IS_NOT_NULL, null));
    }
    return filter;
  }

  /** Whether {@code other} has the same entries, whatever its statistics. */
  boolean hasEntriesOf(Route other) {
    return index.equals(other.index)
        && key.equals(other.key)
        && covering.equals(other.covering)
        && filter.equals(other.filter)
        && rankedIn.equals(other.rankedIn)
        && unique == other.unique;
  }

  /** Whether it is a route through the words of a text. */
  boolean hasWords() {
    return TextConditions.isWords(key.get(width - 1));
  }

  /** Whether a record can have several entries whose first columns are {@code leading}. */
  public boolean repeats(List<Access.Leading> leading) {
    for (int i = 0; i < key.size(); i++) {
      boolean one =
          i < leading.size()
              && (leading.get(i) instanceof Access.Leading.Equal
                  || leading.get(i) instanceof Access.Leading.Null);
      if (key.get(i).fansOut() && !one) {
        return true;
      }
    }
    return false;
  }

  /** Whether a record can have several entries. */
  public boolean fansOut() {
    for (ColumnSpec column : key) {
      if (column.fansOut()) {
        return true;
      }
    }
    return false;
  }
}
