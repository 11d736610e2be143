package dev.tidemark.loader.internal.sql;

import dev.tidemark.loader.Table;
import dev.tidemark.loader.Table.Column;
import dev.tidemark.loader.TableMismatchException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Compares a table in a warehouse with the one of a mapping, and makes it fit where allowed. */
final class TableCheck {
  private static final String COLUMNS =
      """
      SELECT column_name, data_type, is_nullable, column_default FROM information_schema.columns
      WHERE table_catalog = current_database() AND table_schema = current_schema()
      AND lower(table_name) = lower(?) ORDER BY ordinal_position
      """;

  private final Dialect dialect;
  private final Connection connection;
  private final Table table;

  private record Found(String type, boolean nullable, boolean hasDefault) {}

  TableCheck(Dialect dialect, Connection connection, Table table) {
    this.dialect = dialect;
    this.connection = connection;
    this.table = table;
  }

  void run(Table.Policy policy) throws SQLException {
    Map<String, Found> found = columns();
    if (found.isEmpty()) {
      create(policy);
      return;
    }
    if (policy == Table.Policy.EVOLVE) {
      addMissing(found);
      found = columns();
    }
    List<String> differences = differences(found);
    if (!differences.isEmpty()) {
      throw new TableMismatchException(
          table.name(),
          differences,
          "Change the table or the mapping; with Table.Policy.EVOLVE missing columns are added.");
    }
  }

  private void create(Table.Policy policy) throws SQLException {
    if (policy == Table.Policy.CHECK) {
      throw new TableMismatchException(
          table.name(),
          List.of("it does not exist in " + dialect.describe()),
          "Create it, or choose Table.Policy.CREATE: " + Sql.create(dialect, table));
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(Sql.create(dialect, table));
    }
  }

  private void addMissing(Map<String, Found> found) throws SQLException {
    for (Column column : table.storedColumns()) {
      if (!found.containsKey(column.name().toLowerCase(Locale.ROOT)) && !column.isKey()) {
        try (Statement statement = connection.createStatement()) {
          // Rows that are there have no value, so that the column cannot be NOT NULL.
          statement.execute(
              "ALTER TABLE %s ADD COLUMN %s %s"
                  .formatted(
                      Sql.quoted(table.name()),
                      Sql.quoted(column.name()),
                      dialect.typeName(column.type())));
        }
      }
    }
  }

  private List<String> differences(Map<String, Found> found) throws SQLException {
    List<String> differences = new ArrayList<>();
    Map<String, Found> extra = new LinkedHashMap<>(found);
    for (Column column : table.storedColumns()) {
      Found there = extra.remove(column.name().toLowerCase(Locale.ROOT));
      if (there == null) {
        differences.add(
            "column '%s' %s is missing".formatted(column.name(), dialect.typeName(column.type())));
      } else {
        compare(column, there, differences);
      }
    }
    extra.forEach(
        (name, column) -> {
          if (!column.nullable() && !column.hasDefault()) {
            differences.add("column '%s' needs a value, and the mapping has none".formatted(name));
          }
        });
    compareKeys(differences);
    return differences;
  }

  private void compare(Column column, Found there, List<String> differences) {
    String wanted = dialect.typeName(column.type());
    if (!dialect.takes(there.type(), column.type())) {
      differences.add(
          "column '%s' is %s, and %s in the mapping"
              .formatted(column.name(), there.type().toUpperCase(Locale.ROOT), wanted));
    } else if (column.role() == Table.Role.OPTIONAL && !there.nullable()) {
      differences.add(
          "column '%s' is NOT NULL, and optional in the mapping".formatted(column.name()));
    }
  }

  private void compareKeys(List<String> differences) throws SQLException {
    Set<String> wanted = new TreeSet<>();
    Sql.keys(table).forEach(column -> wanted.add(column.name().toLowerCase(Locale.ROOT)));
    Set<Set<String>> found = keys();
    if (!found.contains(wanted)) {
      differences.add(
          found.isEmpty()
              ? "there is no primary key; the mapping has the key " + wanted
              : "unique are %s; the mapping has the key %s".formatted(found, wanted));
    }
  }

  private Map<String, Found> columns() throws SQLException {
    Map<String, Found> columns = new LinkedHashMap<>();
    try (PreparedStatement query = connection.prepareStatement(COLUMNS)) {
      query.setString(1, table.name());
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          columns.put(
              rows.getString(1).toLowerCase(Locale.ROOT),
              new Found(
                  rows.getString(2),
                  rows.getString(3).equalsIgnoreCase("YES"),
                  rows.getString(4) != null));
        }
      }
    }
    return columns;
  }

  private Set<Set<String>> keys() throws SQLException {
    Map<String, Set<String>> keys = new LinkedHashMap<>();
    try (PreparedStatement query = connection.prepareStatement(dialect.keyQuery())) {
      query.setString(1, table.name());
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          keys.computeIfAbsent(rows.getString(1), name -> new TreeSet<>())
              .add(rows.getString(2).toLowerCase(Locale.ROOT));
        }
      }
    }
    return Set.copyOf(keys.values());
  }
}
