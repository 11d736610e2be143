package dev.tidemark.testkit.spanner;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Value;
import com.google.spanner.v1.ResultSetMetadata;
import com.google.spanner.v1.StructType;
import com.google.spanner.v1.Type;
import com.google.spanner.v1.TypeAnnotationCode;
import com.google.spanner.v1.TypeCode;
import java.util.List;

/** The types of a change stream's rows in GoogleSQL, and values of them made of JSON. */
final class SpannerRows {
  private static final Type STRING = type(TypeCode.STRING);
  private static final Type INT64 = type(TypeCode.INT64);
  private static final Type BOOL = type(TypeCode.BOOL);
  private static final Type JSON = type(TypeCode.JSON);
  private static final Type TIMESTAMP = type(TypeCode.TIMESTAMP);

  private static final Type COLUMN =
      struct(
          field("name", STRING),
          field("type", JSON),
          field("is_primary_key", BOOL),
          field("ordinal_position", INT64));
  private static final Type MOD =
      struct(field("keys", JSON), field("new_values", JSON), field("old_values", JSON));
  private static final Type DATA =
      struct(
          field("commit_timestamp", TIMESTAMP),
          field("record_sequence", STRING),
          field("server_transaction_id", STRING),
          field("is_last_record_in_transaction_in_partition", BOOL),
          field("table_name", STRING),
          field("column_types", array(COLUMN)),
          field("mods", array(MOD)),
          field("mod_type", STRING),
          field("value_capture_type", STRING),
          field("number_of_records_in_transaction", INT64),
          field("number_of_partitions_in_transaction", INT64),
          field("transaction_tag", STRING),
          field("is_system_transaction", BOOL));
  private static final Type CHILD =
      struct(field("token", STRING), field("parent_partition_tokens", array(STRING)));
  private static final Type CHILDREN =
      struct(
          field("start_timestamp", TIMESTAMP),
          field("record_sequence", STRING),
          field("child_partitions", array(CHILD)));
  private static final Type RECORD =
      struct(
          field("data_change_record", array(DATA)),
          field("heartbeat_record", array(struct(field("timestamp", TIMESTAMP)))),
          field("child_partitions_record", array(CHILDREN)));

  static final ResultSetMetadata GOOGLE_SQL = metadata("ChangeRecord", array(RECORD));
  static final ResultSetMetadata POSTGRESQL =
      metadata(
          "read_json",
          Type.newBuilder()
              .setCode(TypeCode.JSON)
              .setTypeAnnotation(TypeAnnotationCode.PG_JSONB)
              .build());

  /** What the streams of partition mode {@code MUTABLE_KEY_RANGE} return. */
  static final ResultSetMetadata MUTABLE_KEY_RANGE = metadata("ChangeRecord", type(TypeCode.BYTES));

  static final ResultSetMetadata TEXT = metadata("text", STRING);
  static final ResultSetMetadata NUMBER = metadata("number", INT64);

  private SpannerRows() {}

  private static Type type(TypeCode code) {
    return Type.newBuilder().setCode(code).build();
  }

  private static Type array(Type of) {
    return Type.newBuilder().setCode(TypeCode.ARRAY).setArrayElementType(of).build();
  }

  private static StructType.Field field(String name, Type type) {
    return StructType.Field.newBuilder().setName(name).setType(type).build();
  }

  private static Type struct(StructType.Field... fields) {
    return Type.newBuilder()
        .setCode(TypeCode.STRUCT)
        .setStructType(StructType.newBuilder().addAllFields(List.of(fields)))
        .build();
  }

  private static ResultSetMetadata metadata(String column, Type type) {
    return ResultSetMetadata.newBuilder()
        .setRowType(StructType.newBuilder().addFields(field(column, type)))
        .build();
  }

  /** A row with the record that PostgreSQL would return as {@code json}. */
  static Value row(String json, boolean postgreSql) {
    return postgreSql
        ? Value.newBuilder().setStringValue(json).build()
        : googleSql(JsonParser.parseString(json).getAsJsonObject());
  }

  private static Value googleSql(JsonObject json) {
    ListValue.Builder record = ListValue.newBuilder();
    for (StructType.Field kind : RECORD.getStructType().getFieldsList()) {
      ListValue.Builder some = ListValue.newBuilder();
      if (json.has(kind.getName())) {
        some.addValues(value(kind.getType().getArrayElementType(), json.get(kind.getName())));
      }
      record.addValues(Value.newBuilder().setListValue(some));
    }
    Value struct = Value.newBuilder().setListValue(record).build();
    return Value.newBuilder().setListValue(ListValue.newBuilder().addValues(struct)).build();
  }

  private static Value value(Type type, JsonElement json) {
    Value.Builder value = Value.newBuilder();
    if (json == null || json.isJsonNull()) {
      return value.setNullValue(NullValue.NULL_VALUE).build();
    }
    return switch (type.getCode()) {
      case BOOL -> value.setBoolValue(json.getAsBoolean()).build();
      case STRUCT -> {
        ListValue.Builder fields = ListValue.newBuilder();
        for (StructType.Field field : type.getStructType().getFieldsList()) {
          fields.addValues(value(field.getType(), json.getAsJsonObject().get(field.getName())));
        }
        yield value.setListValue(fields).build();
      }
      case ARRAY -> {
        ListValue.Builder elements = ListValue.newBuilder();
        json.getAsJsonArray()
            .forEach(each -> elements.addValues(value(type.getArrayElementType(), each)));
        yield value.setListValue(elements).build();
      }
      case JSON -> value.setStringValue(json.toString()).build();
      default -> value.setStringValue(json.getAsString()).build();
    };
  }
}
