package dev.tidemark.loader.gcp.internal.bigquery;

import com.google.cloud.bigquery.QueryParameterValue;
import com.google.cloud.bigquery.StandardSQLTypeName;
import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.Table.Column;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row as a struct of a query parameter, and how much it takes there.
 *
 * <p>BigQuery matches structs by position, so the fields are always in the order of the table's
 * stored columns. A script's variable holds at most 1 MB; how BigQuery counts is not documented.
 * The JSON of the request is what we count, which is more than the values take by any measure.
 */
public final class RowParameter {
  private static final long MICROS = 1_000_000;

  /** What stands around the fields of a struct, and around the name and the value of a field. */
  private static final int STRUCT_BYTES = "{\"structValues\":{}},".length();

  private static final int FIELD_BYTES = "\"\":{\"value\":\"\"},".length();
  private static final int FIRST_PRINTABLE = 0x20;
  private static final int ESCAPE_BYTES = 5;

  private final List<Column> columns;
  private final List<@Nullable String> texts;
  private final int bytes;

  private RowParameter(List<Column> columns, List<@Nullable String> texts) {
    this.columns = columns;
    this.texts = texts;
    int sum = STRUCT_BYTES;
    for (int i = 0; i < columns.size(); i++) {
      sum += FIELD_BYTES + columns.get(i).name().length() + jsonBytes(texts.get(i));
    }
    this.bytes = sum;
  }

  /**
   * The struct of {@code row}.
   *
   * @throws IllegalArgumentException if a value is not of its column's type
   */
  public static RowParameter of(Table table, Row row) {
    List<Column> columns = table.storedColumns();
    List<@Nullable String> texts = new ArrayList<>(columns.size());
    for (int i = 0; i < table.columns().size(); i++) {
      texts.add(text(table.columns().get(i), row.value(i)));
    }
    texts.add(Long.toString(micros(row.message().publishedAt())));
    texts.add(row.message().id());
    return new RowParameter(columns, texts);
  }

  private static @Nullable String text(Column column, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    if (!column.type().javaType().isInstance(value)) {
      throw new IllegalArgumentException(
          "Column '%s' is %s, and the value a %s"
              .formatted(column.name(), column.type(), value.getClass().getSimpleName()));
    }
    return switch (value) {
      case Instant moment -> Long.toString(micros(moment));
      case BigDecimal decimal -> decimal.toPlainString();
      case byte[] data -> Base64.getEncoder().encodeToString(data);
      default -> value.toString();
    };
  }

  private static long micros(Instant moment) {
    return Math.addExact(
        Math.multiplyExact(moment.getEpochSecond(), MICROS), moment.getNano() / 1_000);
  }

  /** How many bytes it takes in the JSON of a request. */
  public int bytes() {
    return bytes;
  }

  private static int jsonBytes(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    int sum = text.getBytes(StandardCharsets.UTF_8).length;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < FIRST_PRINTABLE || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&') {
        sum += ESCAPE_BYTES;
      }
    }
    return sum;
  }

  /** The parameter of several rows. */
  public static QueryParameterValue array(List<RowParameter> rows) {
    QueryParameterValue[] structs =
        rows.stream().map(RowParameter::struct).toArray(QueryParameterValue[]::new);
    return QueryParameterValue.array(structs, StandardSQLTypeName.STRUCT);
  }

  private QueryParameterValue struct() {
    Map<String, QueryParameterValue> fields = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      ColumnType type = columns.get(i).type();
      fields.put(
          columns.get(i).name(),
          QueryParameterValue.newBuilder()
              .setType(TableSql.argumentTypeOf(type))
              .setValue(texts.get(i))
              .build());
    }
    return QueryParameterValue.struct(fields);
  }
}
