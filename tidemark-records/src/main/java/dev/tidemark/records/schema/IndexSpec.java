package dev.tidemark.records.schema;

import java.util.List;

/**
 * An index as a schema describes it.
 *
 * @param name its name, unique in the schema
 * @param type the name of the record type that it is over
 * @param kind what it keeps
 * @param columns its columns; for aggregates the last one is the value, but for counts of records
 * @param covering columns kept with each entry beside its key
 * @param unique whether no two records may have the same columns
 * @param nullsEqual whether null counts as a value for {@code unique}
 * @param filter which records it holds
 * @param zeroGroups what becomes of groups that reach zero
 * @param since the version of the schema with which it came or was last redefined
 */
public record IndexSpec(
    String name,
    String type,
    IndexKind kind,
    List<ColumnSpec> columns,
    List<ColumnSpec> covering,
    boolean unique,
    boolean nullsEqual,
    IndexFilter filter,
    ZeroGroups zeroGroups,
    int since) {
  /** Copies the lists. What is wrong with an index, {@link Schema} says when it is built. */
  public IndexSpec {
    columns = List.copyOf(columns);
    covering = List.copyOf(covering);
  }

  /** An index with these columns and nothing special. */
  public static IndexSpec of(String name, String type, IndexKind kind, List<ColumnSpec> columns) {
    return new IndexSpec(
        name, type, kind, columns, List.of(), false, false, IndexFilter.ALL, ZeroGroups.BY_KIND, 1);
  }

  /**
   * The index by {@code column} that {@code type} has for its expiry or a relationship. Its name
   * has the number of the field: a rename of the field leaves it alone.
   */
  public static IndexSpec implied(String type, ColumnSpec column) {
    String name = "%s_%d_implied".formatted(type, column.path().getFirst().field());
    return of(name, type, IndexKind.VALUE, List.of(column));
  }

  /**
   * Whether this is an index that an expiry or a relationship has without saying so. It comes and
   * goes with them, or with a declared index that does the same.
   */
  public boolean isImplied() {
    return columns.size() == 1 && equals(implied(type, columns.getFirst()));
  }

  /** Whether this index finds what {@code implied}, which is an implied one, is there for. */
  public boolean replaces(IndexSpec implied) {
    return type.equals(implied.type) && leadsWith(implied.columns.getFirst());
  }

  /** This index, unique. */
  public IndexSpec asUnique(boolean nullsAreEqual) {
    return new IndexSpec(
        name, type, kind, columns, covering, true, nullsAreEqual, filter, zeroGroups, since);
  }

  /** This index with columns kept beside the key. */
  public IndexSpec withCovering(List<ColumnSpec> others) {
    return new IndexSpec(
        name, type, kind, columns, others, unique, nullsEqual, filter, zeroGroups, since);
  }

  /** This index over some of the records. */
  public IndexSpec withFilter(IndexFilter other) {
    return new IndexSpec(
        name, type, kind, columns, covering, unique, nullsEqual, other, zeroGroups, since);
  }

  /** This index with another treatment of groups that reach zero. */
  public IndexSpec withZeroGroups(ZeroGroups other) {
    return new IndexSpec(
        name, type, kind, columns, covering, unique, nullsEqual, filter, other, since);
  }

  /** This index as it is since {@code version} of the schema. */
  public IndexSpec withSince(int version) {
    return new IndexSpec(
        name, type, kind, columns, covering, unique, nullsEqual, filter, zeroGroups, version);
  }

  /** Whether the index has an entry for every record and is ordered by {@code column} first. */
  public boolean leadsWith(ColumnSpec column) {
    return kind == IndexKind.VALUE
        && !columns.isEmpty()
        && columns.getFirst().equals(column)
        && filter.comparisons().isEmpty();
  }

  /** How many columns form the group of an aggregate. */
  public int groupColumns() {
    return switch (kind) {
      case COUNT, COUNT_UPDATES -> columns.size();
      case VALUE, VERSION -> 0;
      case COUNT_NOT_NULL, SUM, MIN, MAX, MIN_EVER, MAX_EVER, AVERAGE, RANK, TEXT ->
          columns.size() - 1;
    };
  }
}
