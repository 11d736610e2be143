package dev.tidemark.loader;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A table that a loader fills.
 *
 * <p>Beside its columns the table in the warehouse has {@value #PUBLISHED_AT} and {@value
 * #MESSAGE_ID}, which say which publication a row comes from.
 */
public final class Table {
  /** The column with the time of publication. */
  public static final String PUBLISHED_AT = "_published_at";

  /** The column with the id of the message. */
  public static final String MESSAGE_ID = "_message_id";

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

  private static final Set<ColumnType> KEY_TYPES =
      EnumSet.of(
          ColumnType.TEXT,
          ColumnType.INTEGER,
          ColumnType.BOOLEAN,
          ColumnType.TIMESTAMP,
          ColumnType.DATE);

  private final String name;
  private final List<Column> columns;
  private final List<Integer> keyColumns;

  /** What happens to a table that does not fit. */
  public enum Policy {
    /** It is refused. */
    CHECK,
    /** It is created if it is missing, and refused if it does not fit. */
    CREATE,
    /** It is created if it is missing, and gets columns that it lacks. */
    EVOLVE
  }

  /** What a column is for. */
  public enum Role {
    /** Part of the key: never null. */
    KEY,
    /** Never null. */
    REQUIRED,
    /** May be null. */
    OPTIONAL
  }

  /** A column. */
  public record Column(String name, ColumnType type, Role role) {
    /** Refuses names that a warehouse would have to quote. */
    public Column {
      checkName("column", name);
      if (role == Role.KEY && !KEY_TYPES.contains(type)) {
        throw new IllegalArgumentException(
            "Key column '%s' is of type %s; keys are of %s, whose equal values are the same everywhere"
                .formatted(name, type, KEY_TYPES));
      }
    }

    /** Whether it is part of the key. */
    public boolean isKey() {
      return role == Role.KEY;
    }
  }

  private Table(String name, List<Column> columns) {
    this.name = name;
    this.columns = columns;
    this.keyColumns =
        IntStream.range(0, columns.size()).filter(i -> columns.get(i).isKey()).boxed().toList();
  }

  /**
   * A table with these columns.
   *
   * @throws IllegalArgumentException if a name is not plain or used twice, or there is no key
   */
  public static Table of(String name, List<Column> columns) {
    checkName("table", name);
    Set<String> seen = new HashSet<>();
    for (Column column : columns) {
      String lower = column.name().toLowerCase(Locale.ROOT);
      if (!seen.add(lower) || lower.equals(PUBLISHED_AT) || lower.equals(MESSAGE_ID)) {
        throw new IllegalArgumentException(
            "Table '%s' has column '%s' twice; %s and %s are added by the loader"
                .formatted(name, column.name(), PUBLISHED_AT, MESSAGE_ID));
      }
    }
    if (columns.stream().noneMatch(Column::isKey)) {
      throw new IllegalArgumentException(
          "Table '%s' has no key column; a message that comes twice could not be recognised"
              .formatted(name));
    }
    return new Table(name, List.copyOf(columns));
  }

  private static void checkName(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' is no name of a %s; one has 1 to 63 letters, digits and _, no digit first"
              .formatted(name, what));
    }
  }

  /** The name. */
  public String name() {
    return name;
  }

  /** The columns, without those that the loader adds. */
  public List<Column> columns() {
    return columns;
  }

  /** The numbers of the columns that are the key. */
  public List<Integer> keyColumns() {
    return keyColumns;
  }

  /** The columns as the warehouse has them, those of the loader last. */
  public List<Column> storedColumns() {
    List<Column> all = new ArrayList<>(columns);
    all.add(new Column(PUBLISHED_AT, ColumnType.TIMESTAMP, Role.REQUIRED));
    all.add(new Column(MESSAGE_ID, ColumnType.TEXT, Role.REQUIRED));
    return all;
  }

  @Override
  public String toString() {
    return name + columns;
  }
}
