package dev.tidemark.changes.spanner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.ByteArray;
import com.google.cloud.Timestamp;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.ResultSets;
import com.google.cloud.spanner.Struct;
import com.google.cloud.spanner.Type;
import com.google.cloud.spanner.Type.StructField;
import com.google.cloud.spanner.Value;
import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.ChangeSourceException.Kind;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.Mod;
import dev.tidemark.kv.UsageException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows as Spanner returns them, in both dialects, without a server. */
class RowsTest {
  private static final String TIME = "2026-03-04T05:06:07.123456Z";
  private static final Instant INSTANT = Instant.parse(TIME);
  private static final String[] TYPES = {
    "id INT64",
    "name STRING",
    "open BOOL",
    "rate FLOAT64",
    "part FLOAT32",
    "price NUMERIC",
    "raw BYTES",
    "day DATE",
    "at TIMESTAMP",
    "doc JSON",
    "uid UUID",
    "odd NEWTYPE"
  };
  private static final String NEW_VALUES =
      """
      {"name":"n","open":true,"rate":1.5,"part":0.25,"price":"12.50","raw":"AQI=","day":"2026-03-04",
       "at":"%s","doc":"{\\"a\\":1}","uid":"00000000-0000-0001-0000-000000000002",
       "odd":{"x":[1]},"tags":["a",null]}
      """
          .formatted(TIME);

  enum Form {
    GOOGLE_SQL,
    POSTGRESQL
  }

  private static final Type COLUMN =
      Type.struct(
          StructField.of("name", Type.string()),
          StructField.of("type", Type.json()),
          StructField.of("is_primary_key", Type.bool()),
          StructField.of("ordinal_position", Type.int64()));
  private static final Type MOD =
      Type.struct(
          StructField.of("keys", Type.json()),
          StructField.of("new_values", Type.json()),
          StructField.of("old_values", Type.json()));
  private static final Type CHILD =
      Type.struct(
          StructField.of("token", Type.string()),
          StructField.of("parent_partition_tokens", Type.array(Type.string())));

  private static List<String> columns() {
    List<String> made = new ArrayList<>(List.of(TYPES));
    made.add("tags ARRAY");
    return made;
  }

  private static String type(String code) {
    return code.equals("ARRAY")
        ? "{\"code\":\"ARRAY\",\"array_element_type\":{\"code\":\"STRING\"}}"
        : "{\"code\":\"%s\"}".formatted(code);
  }

  private static ResultSet change(Form form) {
    return form == Form.GOOGLE_SQL ? googleChange() : postgres(postgresChange());
  }

  private static ResultSet googleChange() {
    List<Struct> columns = new ArrayList<>();
    for (String each : columns()) {
      String[] parts = each.split(" ", -1);
      columns.add(
          Struct.newBuilder()
              .set("name")
              .to(parts[0])
              .set("type")
              .to(Value.json(type(parts[1])))
              .set("is_primary_key")
              .to(parts[0].equals("id"))
              .set("ordinal_position")
              .to(columns.size() + 1L)
              .build());
    }
    Struct mod =
        Struct.newBuilder()
            .set("keys")
            .to(Value.json("{\"id\":\"7\"}"))
            .set("new_values")
            .to(Value.json(NEW_VALUES))
            .set("old_values")
            .to(Value.json("{\"name\":null}"))
            .build();
    return google(
        "data_change_record",
        Struct.newBuilder()
            .set("commit_timestamp")
            .to(Timestamp.parseTimestamp(TIME))
            .set("record_sequence")
            .to("00000003")
            .set("server_transaction_id")
            .to("tx")
            .set("is_last_record_in_transaction_in_partition")
            .to(true)
            .set("table_name")
            .to("account")
            .set("column_types")
            .toStructArray(COLUMN, columns)
            .set("mods")
            .toStructArray(MOD, List.of(mod))
            .set("mod_type")
            .to("UPDATE")
            .set("value_capture_type")
            .to("OLD_AND_NEW_VALUES")
            .set("number_of_records_in_transaction")
            .to(2L)
            .set("number_of_partitions_in_transaction")
            .to(1L)
            .set("transaction_tag")
            .to("app=x")
            .set("is_system_transaction")
            .to(false)
            .build());
  }

  private static String postgresChange() {
    List<String> columns = new ArrayList<>();
    for (String each : columns()) {
      String[] parts = each.split(" ", -1);
      columns.add(
          "{\"name\":\"%s\",\"type\":%s,\"is_primary_key\":%s,\"ordinal_position\":%d}"
              .formatted(parts[0], type(parts[1]), parts[0].equals("id"), columns.size() + 1));
    }
    return """
        {"data_change_record":{"commit_timestamp":"%s","record_sequence":"00000003",
         "server_transaction_id":"tx","is_last_record_in_transaction_in_partition":true,
         "table_name":"account","column_types":[%s],
         "mods":[{"keys":{"id":"7"},"new_values":%s,"old_values":{"name":null}}],
         "mod_type":"UPDATE","value_capture_type":"OLD_AND_NEW_VALUES",
         "number_of_records_in_transaction":2,"number_of_partitions_in_transaction":1,
         "transaction_tag":"app=x","is_system_transaction":false}}
        """
        .formatted(TIME, String.join(",", columns), NEW_VALUES);
  }

  private static ResultSet google(String kind, Struct... records) {
    Type type = records[0].getType();
    Struct record = Struct.newBuilder().set(kind).toStructArray(type, List.of(records)).build();
    Struct row =
        Struct.newBuilder()
            .set("ChangeRecord")
            .toStructArray(record.getType(), List.of(record))
            .build();
    return at(row);
  }

  private static ResultSet postgres(String json) {
    return at(Struct.newBuilder().set("read_json_ledger").to(Value.pgJsonb(json)).build());
  }

  private static ResultSet at(Struct row) {
    ResultSet rows = ResultSets.forRows(row.getType(), List.of(row));
    assertThat(rows.next()).isTrue();
    return rows;
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void aDataChangeIsReadWithAllItsColumns(Form form) {
    List<ChangeRecord> records = new Rows("p1").decode(change(form));
    assertThat(records).hasSize(1);
    DataChange change = (DataChange) records.get(0);
    assertThat(change.position()).isEqualTo(SpannerPosition.of(INSTANT));
    assertThat(change.table()).isEqualTo("account");
    assertThat(change.columnTypes()).hasSize(columns().size());
    Mod mod = change.mods().get(0);
    assertThat(mod.keys().get("id").orElseThrow()).isEqualTo(7L);
    assertThat(mod.newValues().get("name").orElseThrow()).isEqualTo("n");
    assertThat(mod.newValues().get("open").orElseThrow()).isEqualTo(true);
    assertThat(mod.newValues().get("rate").orElseThrow()).isEqualTo(1.5d);
    assertThat(mod.newValues().get("part").orElseThrow()).isEqualTo(0.25f);
    assertThat(mod.newValues().get("price").orElseThrow()).isEqualTo(new BigDecimal("12.50"));
    assertThat(mod.newValues().get("raw").orElseThrow())
        .isEqualTo(ByteArray.copyFrom(new byte[] {1, 2}));
    assertThat(mod.newValues().get("day").orElseThrow()).isEqualTo(LocalDate.of(2026, 3, 4));
    assertThat(mod.newValues().get("at").orElseThrow()).isEqualTo(INSTANT);
    assertThat(mod.newValues().get("doc").orElseThrow()).isEqualTo("{\"a\":1}");
    assertThat(mod.newValues().get("uid").orElseThrow()).isEqualTo(new UUID(1, 2));
    assertThat(mod.newValues().get("tags").orElseThrow().toString()).isEqualTo("[a, null]");
    assertThat(mod.oldValues().get("name")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void aValueOfAnUnknownTypePassesThroughAsItsJson(Form form) {
    DataChange change = (DataChange) new Rows("p1").decode(change(form)).get(0);
    assertThat(change.mods().get(0).newValues().get("odd").orElseThrow()).isEqualTo("{\"x\":[1]}");
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void aHeartbeatIsRead(Form form) {
    ResultSet row =
        form == Form.GOOGLE_SQL
            ? google(
                "heartbeat_record",
                Struct.newBuilder().set("timestamp").to(Timestamp.parseTimestamp(TIME)).build())
            : postgres("{\"heartbeat_record\":{\"timestamp\":\"%s\"}}".formatted(TIME));
    assertThat(new Rows("p1").decode(row))
        .containsExactly(new ChangeRecord.Heartbeat(SpannerPosition.of(INSTANT), INSTANT));
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void childPartitionsAreReadWithTheirParents(Form form) {
    ResultSet row = form == Form.GOOGLE_SQL ? googleChildren() : postgres(postgresChildren());
    assertThat(new Rows("p1").decode(row))
        .containsExactly(
            new ChangeRecord.ChildPartitions(
                SpannerPosition.of(INSTANT),
                INSTANT,
                "00000001",
                List.of(
                    new ChangeRecord.Child("c1", List.of("p1", "p2")),
                    new ChangeRecord.Child("c2", List.of()))));
  }

  private static ResultSet googleChildren() {
    return google(
        "child_partitions_record",
        Struct.newBuilder()
            .set("start_timestamp")
            .to(Timestamp.parseTimestamp(TIME))
            .set("record_sequence")
            .to("00000001")
            .set("child_partitions")
            .toStructArray(CHILD, List.of(child("c1", "p1", "p2"), child("c2")))
            .build());
  }

  private static Struct child(String token, String... parents) {
    return Struct.newBuilder()
        .set("token")
        .to(token)
        .set("parent_partition_tokens")
        .toStringArray(List.of(parents))
        .build();
  }

  private static String postgresChildren() {
    return """
        {"child_partitions_record":{"start_timestamp":"%s","record_sequence":"00000001",
         "child_partitions":[{"token":"c1","parent_partition_tokens":["p1","p2"]},
                             {"token":"c2","parent_partition_tokens":[]}]}}
        """
        .formatted(TIME);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not json",
        "[]",
        "{}",
        "{\"heartbeat_record\":{}}",
        "{\"heartbeat_record\":{\"timestamp\":\"yesterday\"}}",
        "{\"heartbeat_record\":[]}",
        "{\"child_partitions_record\":{\"start_timestamp\":\"2026-03-04T05:06:07Z\"}}",
        "{\"data_change_record\":{\"commit_timestamp\":\"2026-03-04T05:06:07Z\"}}",
        "{\"event_record\":{}}"
      })
  void aMalformedRowNamesThePartition(String json) {
    assertThatThrownBy(() -> new Rows("p1").decode(postgres(json)))
        .isInstanceOfSatisfying(
            ChangeSourceException.class,
            failure -> assertThat(failure.kind()).isEqualTo(Kind.MALFORMED))
        .hasMessageContaining("partition p1");
  }

  @Test
  void aNumberThatIsNoneIsMalformedWhenItIsAskedFor() {
    String broken = postgresChange().replace("\"id\":\"7\"", "\"id\":\"seven\"");
    DataChange change = (DataChange) new Rows("p1").decode(postgres(broken)).getFirst();
    assertThatThrownBy(() -> change.mods().getFirst().keys().get("id"))
        .isInstanceOfSatisfying(
            ChangeSourceException.class,
            failure -> assertThat(failure.kind()).isEqualTo(Kind.MALFORMED))
        .hasMessageContaining("partition p1")
        .hasMessageContaining("seven");
    assertThat(change.table()).isEqualTo("account");
  }

  @Test
  void recordsOfARowComeInTheOrderOfItsArrays() {
    Struct first = heartbeatAt("2026-03-04T05:06:07Z");
    Struct second = heartbeatAt("2026-03-04T05:06:08Z");
    Type heartbeat = first.getType();
    Struct one =
        Struct.newBuilder()
            .set("heartbeat_record")
            .toStructArray(heartbeat, List.of(first, second))
            .build();
    Struct other =
        Struct.newBuilder()
            .set("heartbeat_record")
            .toStructArray(heartbeat, List.of(heartbeatAt("2026-03-04T05:06:09Z")))
            .build();
    Struct row =
        Struct.newBuilder()
            .set("ChangeRecord")
            .toStructArray(one.getType(), List.of(one, other))
            .build();
    assertThat(new Rows("p1").decode(at(row)))
        .extracting(record -> record.timestamp().getEpochSecond() % 10)
        .containsExactly(7L, 8L, 9L);
  }

  private static Struct heartbeatAt(String time) {
    return Struct.newBuilder().set("timestamp").to(Timestamp.parseTimestamp(time)).build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-03-04T05:06:07.123456789Z",
        "2026-03-04T05:06:07.123456789+00:00",
        "2026-03-04T06:06:07.123456789+01:00"
      })
  void timesWithAnyOffsetAreTheSameWithAllNineDigits(String time) {
    String json = "{\"heartbeat_record\":{\"timestamp\":\"%s\"}}".formatted(time);
    assertThat(new Rows("p1").decode(postgres(json)).getFirst().timestamp())
        .isEqualTo(Instant.parse("2026-03-04T05:06:07.123456789Z"));
  }

  @Test
  void kindsThatAreNotKnownPassThroughAsTheirText() {
    String json =
        postgresChange()
            .replace("\"UPDATE\"", "\"MERGE\"")
            .replace("\"OLD_AND_NEW_VALUES\"", "\"NEW_COLUMNS\"");
    DataChange change = (DataChange) new Rows("p1").decode(postgres(json)).getFirst();
    assertThat(change.modType()).hasToString("MERGE");
    assertThat(change.captureType()).hasToString("NEW_COLUMNS");
  }

  @Test
  void valuesComeWithoutLoss() {
    String json =
        postgresChange()
            .replace("\"id\":\"7\"", "\"id\":\"9223372036854775807\"")
            .replace("\"rate\":1.5", "\"rate\":\"-Infinity\"")
            .replace("\"12.50\"", "\"99999999999999999999999999999.999999999\"");
    DataChange change = (DataChange) new Rows("p1").decode(postgres(json)).getFirst();
    Mod mod = change.mods().getFirst();
    assertThat(mod.keys().get("id")).contains(Long.MAX_VALUE);
    assertThat(mod.newValues().get("rate")).contains(Double.NEGATIVE_INFINITY);
    assertThat(mod.newValues().get("price"))
        .contains(new BigDecimal("99999999999999999999999999999.999999999"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "my stream", "a;DROP TABLE b", "a\"b", "1a", "a-b"})
  void aNameThatIsNoneOfSpannersIsRefusedBeforeAnyCall(String name) {
    assertThatThrownBy(
            () -> SpannerChangesOptions.forStream("projects/p/instances/i/databases/d", name))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("name of a change stream");
  }

  @Test
  void anUnknownRecordOfGoogleSqlIsRefusedByName() {
    ResultSet row = google("event_record", Struct.newBuilder().set("timestamp").to("x").build());
    assertThatThrownBy(() -> new Rows("").decode(row))
        .isInstanceOf(ChangeSourceException.class)
        .hasMessageContaining("first partitions")
        .hasMessageContaining("event_record");
  }

  @Test
  void aStreamOfAnotherPartitionModeIsRefused() {
    Struct row = Struct.newBuilder().set("r").to(ByteArray.copyFrom(new byte[] {1})).build();
    assertThatThrownBy(() -> new Rows("p1").decode(at(row)))
        .isInstanceOf(ChangeSourceException.class)
        .satisfies(
            failure ->
                assertThat(String.valueOf(failure.getMessage())).contains("MUTABLE_KEY_RANGE"));
  }
}
