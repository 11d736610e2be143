package dev.tidemark.loader.internal.sql;

import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rows in the text format of PostgreSQL's COPY. */
final class CopyText {
  private static final int BYTES_A_ROW = 128;

  private final ColumnType[] types;

  /** The last moment of each column, the publication behind them: the next row's is often equal. */
  private final Moment[] moments;

  private final StringBuilder text = new StringBuilder(BYTES_A_ROW);

  CopyText(Table table) {
    types = table.columns().stream().map(Table.Column::type).toArray(ColumnType[]::new);
    moments = Stream.generate(Moment::new).limit(types.length + 1L).toArray(Moment[]::new);
  }

  void add(Row row) {
    for (int i = 0; i < types.length; i++) {
      append(i, row.value(i));
      text.append('\t');
    }
    text.append(moments[types.length].text(row.message().publishedAt())).append('\t');
    escape(row.message().id());
    text.append('\t').append(row.isDeletion() ? 't' : 'f').append('\n');
  }

  /** The text of a moment, which takes longer to make than all else of a row. */
  private static final class Moment {
    private Instant last = Instant.MIN;
    private String text = "";

    String text(Instant moment) {
      if (text.isEmpty() || !moment.equals(last)) {
        last = moment;
        text = moment.toString();
      }
      return text;
    }
  }

  private void append(int column, @Nullable Object value) {
    if (value == null) {
      text.append("\\N");
      return;
    }
    Object checked = types[column].javaType().cast(value);
    switch (types[column]) {
      case TEXT -> escape((String) checked);
      case DECIMAL -> text.append(((BigDecimal) checked).toPlainString());
      case BYTES -> text.append("\\\\x").append(HexFormat.of().formatHex((byte[]) checked));
      case TIMESTAMP -> text.append(moments[column].text((Instant) checked));
      case INTEGER, DOUBLE, BOOLEAN, DATE -> text.append(checked);
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
