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
import org.jspecify.annotations.Nullable;

/**
 * Rows of GoogleSQL as records. The types of the columns are those of docs on change streams. What
 * a change says of columns and values is decoded when the program asks for it. For one thread.
 */
final class GoogleSqlRows {
  private static final int ABSENT = -1;

  private final String token;
  private @Nullable Layout layout;

  /**
   * Where the fields of a change are in rows of one type. Older servers do not have all.
   *
   * @param type the type
   */
  private record Layout(
      Type type,
      int commit,
      int sequence,
      int transaction,
      int last,
      int table,
      int columns,
      int mods,
      int modType,
      int capture,
      int records,
      int partitions,
      int tag,
      int system) {
    static Layout of(Type type) {
      return new Layout(
          type,
          type.getFieldIndex("commit_timestamp"),
          type.getFieldIndex("record_sequence"),
          type.getFieldIndex("server_transaction_id"),
          type.getFieldIndex("is_last_record_in_transaction_in_partition"),
          type.getFieldIndex("table_name"),
          type.getFieldIndex("column_types"),
          type.getFieldIndex("mods"),
          type.getFieldIndex("mod_type"),
          type.getFieldIndex("value_capture_type"),
          type.getFieldIndex("number_of_records_in_transaction"),
          type.getFieldIndex("number_of_partitions_in_transaction"),
          indexOrAbsent(type, "transaction_tag"),
          indexOrAbsent(type, "is_system_transaction"));
    }

    private static int indexOrAbsent(Type type, String name) {
      List<Type.StructField> fields = type.getStructFields();
      for (int i = 0; i < fields.size(); i++) {
        if (fields.get(i).getName().equals(name)) {
          return i;
        }
      }
      return ABSENT;
    }
  }

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

  private Layout layout(Type type) {
    Layout known = layout;
    if (known == null || !known.type().equals(type)) {
      known = Layout.of(type);
      layout = known;
    }
    return known;
  }

  private ChangeRecord change(Struct body) {
    Layout at = layout(body.getType());
    Instant commit = SpannerPosition.instant(body.getTimestamp(at.commit()));
    List<Struct> columns = body.getStructList(at.columns());
    Types types = new Types(columns);
    List<Mod> mods = new ArrayList<>(1);
    for (Struct mod : body.getStructList(at.mods())) {
      mods.add(
          new Mod(
              values(mod, "keys", types),
              values(mod, "new_values", types),
              values(mod, "old_values", types)));
    }
    return new DataChange(
        SpannerPosition.of(commit),
        commit,
        body.getString(at.sequence()),
        body.getString(at.transaction()),
        body.getBoolean(at.last()),
        body.getString(at.table()),
        DataChange.columnsDecodedBy(
            columns.size(), () -> Rows.understood(token, () -> columnTypes(columns))),
        mods,
        new DataChange.ModType(body.getString(at.modType())),
        new DataChange.CaptureType(body.getString(at.capture())),
        body.getLong(at.records()),
        body.getLong(at.partitions()),
        has(body, at.tag()) ? body.getString(at.tag()) : "",
        has(body, at.system()) && body.getBoolean(at.system()));
  }

  private static boolean has(Struct struct, int index) {
    return index != ABSENT && !struct.isNull(index);
  }

  private static List<DataChange.ColumnType> columnTypes(List<Struct> columns) {
    List<DataChange.ColumnType> types = new ArrayList<>(columns.size());
    for (Struct column : columns) {
      types.add(
          new DataChange.ColumnType(
              column.getString("name"),
              ColumnTypes.parse(text(column, "type")).text(),
              column.getBoolean("is_primary_key"),
              column.getLong("ordinal_position")));
    }
    return types;
  }

  private Values values(Struct mod, String name, Types types) {
    return Values.decodedBy(
        () ->
            Rows.understood(
                token,
                () ->
                    mod.isNull(name)
                        ? Map.<String, @Nullable Object>of()
                        : JsonValues.decode(text(mod, name), types.byName())));
  }

  /** The types of the columns of a change. May be looked at by several threads. */
  private static final class Types {
    private final List<Struct> columns;
    private volatile @Nullable Map<String, ColumnTypes.ColumnType> known;

    Types(List<Struct> columns) {
      this.columns = columns;
    }

    Map<String, ColumnTypes.ColumnType> byName() {
      Map<String, ColumnTypes.ColumnType> types = known;
      if (types == null) {
        types = new HashMap<>();
        for (Struct column : columns) {
          types.put(column.getString("name"), ColumnTypes.parse(text(column, "type")));
        }
        known = types;
      }
      return types;
    }
  }

  /** Older servers return text where newer ones return JSON. */
  private static String text(Struct struct, String name) {
    return struct.getColumnType(name).getCode() == Type.Code.JSON
        ? struct.getJson(name)
        : struct.getString(name);
  }
}
