package dev.tidemark.changes.spanner;

import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.Type;
import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.Mod;
import dev.tidemark.changes.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows of GoogleSQL as records. The columns are those that Spanner documents for change streams.
 */
final class GoogleSqlRows {
  private final String token;

  /** Rows of the partition {@code token}, which messages name. */
  GoogleSqlRows(String token) {
    this.token = token;
  }

  /** All records of a row, in the order of its arrays. */
  List<ChangeRecord> records(List<Struct> structs) {
    List<ChangeRecord> records = new ArrayList<>(1);
    for (Struct struct : structs) {
      List<Type.StructField> kinds = struct.getType().getStructFields();
      for (int i = 0; i < kinds.size(); i++) {
        if (!struct.isNull(i)) {
          for (Struct each : struct.getStructList(i)) {
            records.add(record(kinds.get(i).getName(), each));
          }
        }
      }
    }
    return records;
  }

  private ChangeRecord record(String kind, Struct body) {
    return switch (kind) {
      case "data_change_record" -> change(body);
      case "heartbeat_record" -> {
        Instant time = SpannerPosition.instant(body.getTimestamp("timestamp"));
        yield new ChangeRecord.Heartbeat(SpannerPosition.of(time), time);
      }
      case "child_partitions_record" -> children(body);
      default -> throw new IllegalArgumentException("unknown kind of record " + kind);
    };
  }

  private static ChangeRecord children(Struct body) {
    Instant start = SpannerPosition.instant(body.getTimestamp("start_timestamp"));
    List<ChangeRecord.Child> children = new ArrayList<>();
    for (Struct each : body.getStructList("child_partitions")) {
      List<String> parents =
          each.isNull("parent_partition_tokens")
              ? List.of()
              : each.getStringList("parent_partition_tokens");
      children.add(new ChangeRecord.Child(each.getString("token"), parents));
    }
    return new ChangeRecord.ChildPartitions(
        SpannerPosition.of(start), start, body.getString("record_sequence"), children);
  }

  private ChangeRecord change(Struct body) {
    Instant commit = SpannerPosition.instant(body.getTimestamp("commit_timestamp"));
    Map<String, ColumnTypes.ColumnType> types = new HashMap<>();
    List<DataChange.ColumnType> columns = new ArrayList<>();
    for (Struct column : body.getStructList("column_types")) {
      String name = column.getString("name");
      ColumnTypes.ColumnType type = ColumnTypes.parse(text(column, "type"));
      types.put(name, type);
      columns.add(
          new DataChange.ColumnType(
              name,
              type.text(),
              column.getBoolean("is_primary_key"),
              column.getLong("ordinal_position")));
    }
    List<Mod> mods = new ArrayList<>(1);
    for (Struct mod : body.getStructList("mods")) {
      mods.add(
          new Mod(
              values(mod, "keys", types),
              values(mod, "new_values", types),
              values(mod, "old_values", types)));
    }
    return new DataChange(
        SpannerPosition.of(commit),
        commit,
        body.getString("record_sequence"),
        body.getString("server_transaction_id"),
        body.getBoolean("is_last_record_in_transaction_in_partition"),
        body.getString("table_name"),
        columns,
        mods,
        new DataChange.ModType(body.getString("mod_type")),
        new DataChange.CaptureType(body.getString("value_capture_type")),
        body.getLong("number_of_records_in_transaction"),
        body.getLong("number_of_partitions_in_transaction"),
        has(body, "transaction_tag") ? body.getString("transaction_tag") : "",
        has(body, "is_system_transaction") && body.getBoolean("is_system_transaction"));
  }

  private Values values(Struct mod, String name, Map<String, ColumnTypes.ColumnType> types) {
    return mod.isNull(name) ? Values.none() : JsonValues.values(token, text(mod, name), types);
  }

  /** Older servers return text where newer ones return JSON. */
  private static String text(Struct struct, String name) {
    return struct.getColumnType(name).getCode() == Type.Code.JSON
        ? struct.getJson(name)
        : struct.getString(name);
  }

  /** Older servers do not have all columns. */
  private static boolean has(Struct struct, String name) {
    for (Type.StructField field : struct.getType().getStructFields()) {
      if (field.getName().equals(name)) {
        return !struct.isNull(name);
      }
    }
    return false;
  }
}
