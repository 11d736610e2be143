package dev.tidemark.changes.spanner;

import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Type;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.ChangeSourceException.Kind;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.Mod;
import dev.tidemark.changes.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Rows of a change stream as records, in both dialects. The values of a change are decoded when the
 * program asks for them.
 */
final class Rows {
  private static final List<String> KINDS =
      List.of("data_change_record", "heartbeat_record", "child_partitions_record");

  private final String token;
  private final GoogleSqlRows googleSql;

  /** Rows of the partition {@code token}, which messages name. For one thread. */
  Rows(String token) {
    this.token = token;
    this.googleSql = new GoogleSqlRows(token);
  }

  /** The records of the row that {@code rows} stands at, in their order. */
  List<ChangeRecord> decode(ResultSet rows) {
    return understood(token, () -> records(rows));
  }

  private List<ChangeRecord> records(ResultSet rows) {
    Type type = rows.getColumnType(0);
    return switch (type.getCode()) {
      case ARRAY -> googleSql.records(rows.getStructList(0));
      case PG_JSONB -> record(token, JsonParser.parseString(rows.getPgJsonb(0)).getAsJsonObject());
      case JSON -> record(token, JsonParser.parseString(rows.getJson(0)).getAsJsonObject());
      case PROTO, BYTES ->
          throw new ChangeSourceException(
              Kind.INVALID_ARGUMENT,
              "The change stream has partition_mode MUTABLE_KEY_RANGE, which is not supported; create one with IMMUTABLE_KEY_RANGE",
              null);
      default -> throw new IllegalArgumentException("a change record is no value of type " + type);
    };
  }

  /** What {@code decoder} makes of a row or a part of it. */
  static <T> T understood(String token, Supplier<T> decoder) {
    try {
      return decoder.get();
    } catch (IllegalArgumentException
        | IllegalStateException
        | NullPointerException
        | ClassCastException
        | UnsupportedOperationException
        | java.time.DateTimeException
        | com.google.gson.JsonParseException malformed) {
      throw malformed(token, malformed);
    }
  }

  /** The failure of a row, or of a value in it, that cannot be understood. */
  private static ChangeSourceException malformed(String token, RuntimeException cause) {
    return new ChangeSourceException(
        Kind.MALFORMED,
        "A row of %s cannot be understood: %s"
            .formatted(
                token.isEmpty() ? "the query of first partitions" : "partition " + token,
                cause.getMessage()),
        cause);
  }

  private static List<ChangeRecord> record(String token, JsonObject row) {
    List<ChangeRecord> records = new ArrayList<>();
    for (Map.Entry<String, JsonElement> each : row.entrySet()) {
      if (!each.getValue().isJsonNull()) {
        JsonObject body = each.getValue().getAsJsonObject();
        records.add(
            switch (KINDS.indexOf(each.getKey())) {
              case 0 -> change(token, body);
              case 1 -> heartbeat(body);
              case 2 -> children(body);
              default ->
                  throw new IllegalArgumentException("unknown kind of record " + each.getKey());
            });
      }
    }
    if (records.isEmpty()) {
      throw new IllegalArgumentException("the row holds no record");
    }
    return records;
  }

  private static ChangeRecord heartbeat(JsonObject body) {
    Instant time = JsonValues.instant(text(body, "timestamp"));
    return new ChangeRecord.Heartbeat(SpannerPosition.of(time), time);
  }

  private static ChangeRecord children(JsonObject body) {
    Instant start = JsonValues.instant(text(body, "start_timestamp"));
    List<ChangeRecord.Child> children = new ArrayList<>();
    for (JsonElement each : list(body, "child_partitions")) {
      List<String> parents = new ArrayList<>();
      list(each.getAsJsonObject(), "parent_partition_tokens")
          .forEach(parent -> parents.add(parent.getAsString()));
      children.add(new ChangeRecord.Child(text(each.getAsJsonObject(), "token"), parents));
    }
    return new ChangeRecord.ChildPartitions(
        SpannerPosition.of(start), start, text(body, "record_sequence"), children);
  }

  private static ChangeRecord change(String token, JsonObject body) {
    Instant commit = JsonValues.instant(text(body, "commit_timestamp"));
    Map<String, ColumnTypes.ColumnType> types = new HashMap<>();
    List<DataChange.ColumnType> columns = new ArrayList<>();
    for (JsonElement each : list(body, "column_types")) {
      JsonObject column = each.getAsJsonObject();
      ColumnTypes.ColumnType type = ColumnTypes.ColumnType.of(field(column, "type"));
      types.put(text(column, "name"), type);
      columns.add(
          new DataChange.ColumnType(
              text(column, "name"),
              type.text(),
              field(column, "is_primary_key").getAsBoolean(),
              field(column, "ordinal_position").getAsLong()));
    }
    List<Mod> mods = new ArrayList<>();
    for (JsonElement each : list(body, "mods")) {
      JsonObject mod = each.getAsJsonObject();
      mods.add(
          new Mod(
              values(token, mod, "keys", types),
              values(token, mod, "new_values", types),
              values(token, mod, "old_values", types)));
    }
    return new DataChange(
        SpannerPosition.of(commit),
        commit,
        text(body, "record_sequence"),
        text(body, "server_transaction_id"),
        field(body, "is_last_record_in_transaction_in_partition").getAsBoolean(),
        text(body, "table_name"),
        columns,
        mods,
        new DataChange.ModType(text(body, "mod_type")),
        new DataChange.CaptureType(text(body, "value_capture_type")),
        field(body, "number_of_records_in_transaction").getAsLong(),
        field(body, "number_of_partitions_in_transaction").getAsLong(),
        has(body, "transaction_tag") ? text(body, "transaction_tag") : "",
        has(body, "is_system_transaction") && field(body, "is_system_transaction").getAsBoolean());
  }

  private static Values values(
      String token, JsonObject mod, String name, Map<String, ColumnTypes.ColumnType> types) {
    if (!has(mod, name)) {
      return Values.none();
    }
    JsonElement values = field(mod, name);
    return JsonValues.values(
        token, values.isJsonObject() ? values.toString() : values.getAsString(), types);
  }

  private static boolean has(JsonObject body, String name) {
    return body.has(name) && !body.get(name).isJsonNull();
  }

  private static JsonElement field(JsonObject body, String name) {
    if (!has(body, name)) {
      throw new IllegalArgumentException("the field " + name + " is missing");
    }
    return body.get(name);
  }

  private static String text(JsonObject body, String name) {
    return field(body, name).getAsString();
  }

  private static JsonArray list(JsonObject body, String name) {
    return has(body, name) ? body.getAsJsonArray(name) : new JsonArray();
  }
}
