package dev.tidemark.records.schema;

import java.util.List;

/**
 * The declaration of an index in a schema.
 *
 * @param name its name, unique in the schema
 * @param type the name of the record type that it is over
 * @param kind what it keeps
 * @param columns its columns; the last column of an aggregate is its value, except for counts of
 *     records
 * @param covering columns whose values each entry stores beside its key
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
  /** Copies the lists. {@link Schema} checks the index. */
  public IndexSpec {
    columns = List.copyOf(columns);
    covering = List.copyOf(covering);
  }

  /** An index with these columns and default settings. */
  public static IndexSpec of(String name, String type, IndexKind kind, List<ColumnSpec> columns) {
    return new IndexSpec(
        name, type, kind, columns, List.of(), false, false, IndexFilter.ALL, ZeroGroups.BY_KIND, 1);
  }

  /**
   * The index by {@code column} that the expiry or a relationship of {@code type} implies. Its name
   * contains the number of the field, so a rename of the field does not change it.
   */
  public static IndexSpec implied(String type, ColumnSpec column) {
    String name = "%s_%d_implied".formatted(type, column.path().getFirst().field());
    return of(name, type, IndexKind.VALUE, List.of(column));
  }

  /**
   * Whether this index is implied by an expiry or a relationship. It exists as long as these do and
   * no declared index replaces it.
   */
  public boolean isImplied() {
    return columns.size() == 1 && equals(implied(type, columns.getFirst()));
  }

  /** Whether this index serves the purpose of the implied index {@code implied}. */
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

  /** This index with another rule for groups that reach zero. */
  public IndexSpec withZeroGroups(ZeroGroups other) {
    return new IndexSpec(
        name, type, kind, columns, covering, unique, nullsEqual, filter, other, since);
  }

  /** This index as last redefined in {@code version} of the schema. */
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
