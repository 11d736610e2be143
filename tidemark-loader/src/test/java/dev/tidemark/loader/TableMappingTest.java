package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableMappingTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static Message body(String json) {
    return Message.of("m", NOON, Map.of(), json.getBytes(StandardCharsets.UTF_8));
  }

  private static Message attribute(String name, String value) {
    return Message.of("m", NOON, Map.of("id", "1", name, value), new byte[0]);
  }

  private static List<@Nullable Object> values(Mapping.Result result) {
    assertThat(result).isInstanceOf(Mapping.Result.Mapped.class);
    Row row = ((Mapping.Result.Mapped) result).row();
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      values.add(row.value(i));
    }
    return values;
  }

  private static String reason(Mapping.Result result) {
    assertThat(result).isInstanceOf(Mapping.Result.Rejected.class);
    return ((Mapping.Result.Rejected) result).reason();
  }

  private static TableMapping jsonMapping() {
    return TableMapping.table("orders")
        .json("id", ColumnType.INTEGER, Table.Role.KEY)
        .json("city", ColumnType.TEXT, Table.Role.OPTIONAL, "address", "city")
        .json("total", ColumnType.DECIMAL, Table.Role.REQUIRED)
        .json("paid", ColumnType.BOOLEAN, Table.Role.OPTIONAL)
        .json("at", ColumnType.TIMESTAMP, Table.Role.OPTIONAL)
        .build();
  }

  @Test
  void membersOfAJsonBodyBecomeColumns() {
    assertThat(
            values(
                jsonMapping()
                    .map(
                        body(
                            "{\"id\": 7, \"address\": {\"city\": \"\\u6771\\u4eac\"}, \"total\":"
                                + " 12.50, \"paid\": true, \"at\": \"2026-01-01T09:00:00+09:00\","
                                + " \"more\": [1, {}]}"))))
        .containsExactly(
            7L, "東京", new BigDecimal("12.500000000"), true, Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(values(jsonMapping().map(body("{\"id\":1,\"total\":0,\"paid\":null}"))))
        .containsExactly(1L, null, new BigDecimal("0.000000000"), null, null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"total\":1} | missing id",
        "{\"id\":null,\"total\":1} | missing id",
        "{\"id\":1} | missing total",
        "{\"id\":1.5,\"total\":1} | no whole number",
        "{\"id\":99999999999999999999,\"total\":1} | no whole number",
        "{\"id\":\"1\",\"total\":1} | no INTEGER",
        "{\"id\":1,\"total\":1,\"paid\":\"true\"} | no BOOLEAN",
        "{\"id\":1,\"total\":1,\"address\":{\"city\":5}} | no TEXT",
        "{\"id\":1,\"total\":0.0000000001} | behind the point",
        "{\"id\":1,\"total\":1,\"at\":\"2026-01-01\"} | no moment",
        "{\"id\":1,\"total\":1} x | ended before",
        "{\"id\":1,\"id\":2,\"total\":1} | twice",
        "[1] | begins with",
        "{\"id\":01,\"total\":1} | expected",
        "{\"id\":1,\"total\":1,\"address\":{\"city\":\"\\ud83d\"}} | half a surrogate pair",
        "{\"id\":1,\"total\":1,\"address\":{\"city\":\"\\ude00\\ud83d\"}} | half a surrogate pair",
        "{\"id\":1 | ends too early",
        "`` | ends too early"
      })
  void bodyThatDoesNotFitIsRefusedWithAReason(String json, String reason) {
    assertThat(reason(jsonMapping().map(body(json)))).contains(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "DOUBLE, 1.5e3, 1500.0",
    "BOOLEAN, true, true",
    "DATE, 2026-02-28, 2026-02-28",
    "INTEGER, -9223372036854775808, -9223372036854775808",
    "TEXT, ' blanks ', ' blanks '"
  })
  void textsOfAttributesAreConverted(ColumnType type, String text, String expected) {
    TableMapping mapping = attributes(type);

    assertThat(values(mapping.map(attribute("value", text))).get(1)).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "DOUBLE, NaN",
    "DOUBLE, 1e999",
    "DOUBLE, 0x1p3",
    "DOUBLE, 1.",
    "BOOLEAN, TRUE",
    "BOOLEAN, 1",
    "DATE, 2026-02-30",
    "DATE, 20260228",
    "TIMESTAMP, 2026-01-01T00:00:00",
    "TIMESTAMP, +10000-01-01T00:00:00Z",
    "DECIMAL, 1e1000000000",
    "BYTES, ***",
    "INTEGER, 9223372036854775808"
  })
  void textsThatAreNotExactlyAValueAreRefused(ColumnType type, String text) {
    assertThat(reason(attributes(type).map(attribute("value", text))))
        .startsWith("value is refused: '" + text + "'");
  }

  private static TableMapping attributes(ColumnType type) {
    return TableMapping.table("t")
        .attribute("id", ColumnType.INTEGER, Table.Role.KEY)
        .attribute("value", type, Table.Role.REQUIRED)
        .build();
  }

  record Reading(String pointId, Instant at, int power, @Nullable Double factor, LocalDate day) {}

  record Strange(String id, List<String> names) {}

  @Test
  void componentsOfARecordBecomeColumns() {
    TableMapping mapping =
        TableMapping.ofRecords(
            "readings",
            Reading.class,
            message -> new Reading("p", NOON, 5, null, LocalDate.EPOCH),
            List.of("point_id", "at"));

    assertThat(mapping.table().columns())
        .extracting(Table.Column::name)
        .containsExactly("point_id", "at", "power", "factor", "day");
    assertThat(mapping.table().keyColumns()).containsExactly(0, 1);
    assertThat(values(mapping.map(body("{}"))))
        .containsExactly("p", NOON, 5L, null, LocalDate.EPOCH);
  }

  @Test
  void recordsThatCannotBeTablesAreRefused() {
    assertThatThrownBy(
            () ->
                TableMapping.ofRecords(
                    "t", Strange.class, message -> new Strange("", List.of()), List.of("id")))
        .hasMessageContaining("names")
        .hasMessageContaining("List");
    assertThatThrownBy(
            () ->
                TableMapping.ofRecords(
                    "t",
                    Reading.class,
                    message -> new Reading("", NOON, 1, null, LocalDate.EPOCH),
                    List.of("pointId")))
        .hasMessageContaining("pointId")
        .hasMessageContaining("point_id");
  }

  @Test
  void decoderThatFailsIsTheReason() {
    TableMapping mapping =
        TableMapping.ofRecords(
            "readings",
            Reading.class,
            message -> {
              throw new IllegalStateException("cannot decode");
            },
            List.of("point_id"));

    assertThat(reason(mapping.map(body("{}")))).contains("cannot decode");
  }

  @Test
  void tablesThatMakeNoSenseAreRefused() {
    assertThatThrownBy(
            () ->
                TableMapping.table("t")
                    .attribute("a", ColumnType.TEXT, Table.Role.REQUIRED)
                    .build())
        .hasMessageContaining("no key");
    assertThatThrownBy(() -> TableMapping.table("t\"; DROP TABLE x").build())
        .hasMessageContaining("no name of a table");
    assertThatThrownBy(
            () -> TableMapping.table("t").attribute("a b", ColumnType.TEXT, Table.Role.KEY))
        .hasMessageContaining("no name of a column");
    assertThatThrownBy(
            () -> TableMapping.table("t").attribute("a", ColumnType.DOUBLE, Table.Role.KEY))
        .hasMessageContaining("DOUBLE");
    assertThatThrownBy(
            () ->
                TableMapping.table("t")
                    .attribute("a", ColumnType.TEXT, Table.Role.KEY)
                    .attribute("A", ColumnType.TEXT, Table.Role.OPTIONAL)
                    .build())
        .hasMessageContaining("twice");
  }
}
