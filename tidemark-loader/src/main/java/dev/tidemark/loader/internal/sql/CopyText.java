package dev.tidemark.loader.internal.sql;

import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import java.math.BigDecimal;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Rows in the text format of PostgreSQL's COPY. */
final class CopyText {
  private static final int BYTES_A_ROW = 128;

  private final ColumnType[] types;
  private final StringBuilder text = new StringBuilder(BYTES_A_ROW);

  CopyText(Table table) {
    types = table.columns().stream().map(Table.Column::type).toArray(ColumnType[]::new);
  }

  void add(Row row) {
    for (int i = 0; i < types.length; i++) {
      append(types[i], row.value(i));
      text.append('\t');
    }
    text.append(row.message().publishedAt()).append('\t');
    escape(row.message().id());
    text.append('\t').append(row.isDeletion() ? 't' : 'f').append('\n');
  }

  private void append(ColumnType type, @Nullable Object value) {
    if (value == null) {
      text.append("\\N");
      return;
    }
    Object checked = type.javaType().cast(value);
    switch (type) {
      case TEXT -> escape((String) checked);
      case DECIMAL -> text.append(((BigDecimal) checked).toPlainString());
      case BYTES -> text.append("\\\\x").append(HexFormat.of().formatHex((byte[]) checked));
      case INTEGER, DOUBLE, BOOLEAN, TIMESTAMP, DATE -> text.append(checked);
    }
  }

  private void escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '\t' -> text.append("\\t");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        default -> text.append(c);
      }
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
