package dev.tidemark.changes.spanner;

import com.google.cloud.ByteArray;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.tidemark.changes.Values;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values of columns, as Spanner writes them in JSON, as objects of Java. */
final class JsonValues {
  private JsonValues() {}

  /**
   * The values in the object {@code text} for columns with {@code types}, decoded when they are
   * first asked for. One that cannot be understood fails with a name of the partition {@code token}
   * then.
   */
  static Values values(String token, String text, Map<String, ColumnTypes.ColumnType> types) {
    return Values.decodedBy(() -> Rows.understood(token, () -> decode(text, types)));
  }

  static Map<String, @Nullable Object> decode(
      String text, Map<String, ColumnTypes.ColumnType> types) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    JsonElement json = JsonParser.parseString(text);
    for (Map.Entry<String, JsonElement> each : object(json).entrySet()) {
      ColumnTypes.ColumnType type = types.get(each.getKey());
      values.put(
          each.getKey(), decode(each.getValue(), type == null ? new JsonObject() : type.json()));
    }
    return values;
  }

  /**
   * The value in {@code json} for a column with {@code type}. A type that is not known here passes
   * through as the text of its JSON.
   */
  static @Nullable Object decode(JsonElement json, JsonObject type) {
    if (json.isJsonNull()) {
      return null;
    }
    String code = type.has("code") ? type.get("code").getAsString() : "";
    return switch (code) {
      case "BOOL" -> json.getAsBoolean();
      case "INT64", "ENUM" -> Long.parseLong(json.getAsString());
      case "FLOAT64" -> Double.parseDouble(json.getAsString());
      case "FLOAT32" -> Float.parseFloat(json.getAsString());
      case "NUMERIC" -> numeric(json.getAsString());
      case "STRING", "INTERVAL" -> json.getAsString();
      case "UUID" -> UUID.fromString(json.getAsString());
      case "BYTES", "PROTO" -> ByteArray.fromBase64(json.getAsString());
      case "DATE" -> LocalDate.parse(json.getAsString());
      case "TIMESTAMP" -> instant(json.getAsString());
      case "JSON" -> json.isJsonPrimitive() ? json.getAsString() : json.toString();
      case "ARRAY" -> array(json, type.getAsJsonObject("array_element_type"));
      default -> json.toString();
    };
  }

  /** PostgreSQL's numeric may be NaN, which a decimal number cannot be. */
  private static Object numeric(String text) {
    return text.equals("NaN") ? Double.valueOf(Double.NaN) : new BigDecimal(text);
  }

  private static List<@Nullable Object> array(JsonElement json, JsonObject elementType) {
    List<@Nullable Object> values = new ArrayList<>();
    for (JsonElement each : json.getAsJsonArray()) {
      values.add(decode(each, elementType));
    }
    return Collections.unmodifiableList(values);
  }

  /**
   * {@code value} as JSON: maps and lists by element, bytes as Base64, what has no form in JSON as
   * the text that it prints.
   */
  static String text(@Nullable Object value) {
    return json(value).toString();
  }

  private static JsonElement json(@Nullable Object value) {
    return switch (value) {
      case null -> JsonNull.INSTANCE;
      case Boolean truth -> new JsonPrimitive(truth);
      case Double number when !Double.isFinite(number) -> new JsonPrimitive(number.toString());
      case Float number when !Float.isFinite(number) -> new JsonPrimitive(number.toString());
      case Number number -> new JsonPrimitive(number);
      case ByteArray bytes -> new JsonPrimitive(bytes.toBase64());
      case Map<?, ?> map -> {
        JsonObject object = new JsonObject();
        map.forEach((name, each) -> object.add(String.valueOf(name), json(each)));
        yield object;
      }
      case Iterable<?> elements -> {
        JsonArray array = new JsonArray();
        elements.forEach(each -> array.add(json(each)));
        yield array;
      }
      default -> new JsonPrimitive(value.toString());
    };
  }

  /** A time with {@code Z} or another offset. */
  static Instant instant(String text) {
    return OffsetDateTime.parse(text.replace(' ', 'T')).toInstant();
  }

  /** An object, written as text or in place. */
  static JsonObject object(JsonElement json) {
    if (json.isJsonNull()) {
      return new JsonObject();
    }
    return json.isJsonObject()
        ? json.getAsJsonObject()
        : JsonParser.parseString(json.getAsString()).getAsJsonObject();
  }
}
