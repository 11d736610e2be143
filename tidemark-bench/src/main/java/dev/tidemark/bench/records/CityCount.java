package dev.tidemark.bench.records;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;

/** What keeps the number of users of each city in H2, whose triggers are Java classes. */
public final class CityCount implements Trigger {
  private int city;

  /** For H2, which makes one for each trigger. */
  public CityCount() {}

  @Override
  public void init(
      Connection connection, String schema, String trigger, String table, boolean before, int type)
      throws SQLException {
    try (var columns = connection.getMetaData().getColumns(null, schema, table, "CITY")) {
      columns.next();
      city = columns.getInt("ORDINAL_POSITION") - 1;
    }
  }

  @Override
  public void fire(
      Connection connection, @Nullable Object @Nullable [] old, @Nullable Object @Nullable [] now)
      throws SQLException {
    Object from = old == null ? null : old[city];
    Object to = now == null ? null : now[city];
    if (!Objects.equals(from, to)) {
      add(connection, from, -1);
      add(connection, to, 1);
    }
  }

  private static void add(Connection connection, @Nullable Object city, int amount)
      throws SQLException {
    if (city == null) {
      return;
    }
    // H2 keeps statements that were prepared before, by their text.
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE city_count SET n = n + ? WHERE city = ?")) {
      update.setInt(1, amount);
      update.setObject(2, city);
      if (update.executeUpdate() == 0) {
        try (PreparedStatement insert =
            connection.prepareStatement("INSERT INTO city_count VALUES(?, ?)")) {
          insert.setObject(1, city);
          insert.setInt(2, amount);
          insert.executeUpdate();
        }
      }
    }
  }
}
