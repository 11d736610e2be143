package dev.tidemark.changes.spanner;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Types of columns. A stream has few, and each record names all of its own again. */
final class ColumnTypes {
  private static final int KNOWN_MAX = 1_000;
  private static final Map<String, ColumnType> KNOWN = new ConcurrentHashMap<>();

  private ColumnTypes() {}

  /**
   * A type.
   *
   * @param json the type as Spanner writes it; nobody changes it
   * @param text the same as text
   */
  record ColumnType(JsonObject json, String text) {
    static ColumnType of(JsonElement json) {
      JsonObject object = JsonValues.object(json);
      return new ColumnType(object, object.toString());
    }
  }

  /** The type that {@code text} describes. */
  static ColumnType parse(String text) {
    ColumnType known = KNOWN.get(text);
    if (known == null) {
      known = ColumnType.of(JsonParser.parseString(text));
      if (KNOWN.size() < KNOWN_MAX) {
        KNOWN.put(text, known);
      }
    }
    return known;
  }
}
