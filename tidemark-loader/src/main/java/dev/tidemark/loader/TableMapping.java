package dev.tidemark.loader;

import dev.tidemark.loader.internal.mapping.Content;
import dev.tidemark.loader.internal.mapping.Conversion;
import dev.tidemark.loader.internal.mapping.RecordColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A mapping declared column by column: from attributes, from the JSON body, or from a Java record
 * that the message is decoded to.
 *
 * <p>Conversions are strict. A message without a value for a key or required column, or with one
 * that is not exactly of its type, is a dead letter whose reason names the column.
 */
public final class TableMapping implements Mapping {
  private final Table table;
  private final List<Extractor> extractors;

  /** Where the value of a column comes from; null for none. */
  private record Extractor(String from, Function<Content, @Nullable Object> value) {}

  private TableMapping(Table table, List<Extractor> extractors) {
    this.table = table;
    this.extractors = extractors;
  }

  /** Begins the declaration of a table. */
  public static Draft table(String name) {
    return new Draft(name);
  }

  /**
   * A mapping by the components of a record class, each a column of the same name in lower case
   * with underscores. Components are of type String, long, int, double, boolean, {@link
   * java.math.BigDecimal}, {@link java.time.Instant}, {@link java.time.LocalDate} or {@code
   * byte[]}; primitive ones are required.
   *
   * @param decoder makes a record of a message; an exception is the reason of a dead letter
   * @param keys the columns that are the key
   * @throws IllegalArgumentException if a component has another type, or a key is none of them
   */
  public static <R extends Record> TableMapping ofRecords(
      String name, Class<R> type, Function<Message, R> decoder, List<String> keys) {
    RecordColumns<R> columns = RecordColumns.of(type, keys);
    Table table = Table.of(name, columns.columns());
    List<Extractor> extractors = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      int column = i;
      extractors.add(
          new Extractor(
              table.columns().get(i).name(),
              content -> columns.value(content.decoded(decoder), column)));
    }
    return new TableMapping(table, extractors);
  }

  @Override
  public Table table() {
    return table;
  }

  @Override
  public Result map(Message message) {
    Content content = new Content(message);
    @Nullable Object[] values = new Object[extractors.size()];
    for (int i = 0; i < values.length; i++) {
      Extractor extractor = extractors.get(i);
      try {
        values[i] = extractor.value.apply(content);
      } catch (RuntimeException refused) {
        return new Result.Rejected(extractor.from + " is refused: " + why(refused));
      }
      if (values[i] == null && table.columns().get(i).role() != Table.Role.OPTIONAL) {
        return new Result.Rejected("missing " + extractor.from);
      }
    }
    return new Result.Mapped(Row.of(message, values));
  }

  private static String why(RuntimeException refused) {
    return refused instanceof IllegalArgumentException && refused.getMessage() != null
        ? refused.getMessage()
        : refused.toString();
  }

  /** A table whose columns are being declared. */
  public static final class Draft {
    private final String name;
    private final List<Table.Column> columns = new ArrayList<>();
    private final List<Extractor> extractors = new ArrayList<>();

    private Draft(String name) {
      this.name = name;
    }

    /** A column from the attribute of the same name. */
    public Draft attribute(String column, ColumnType type, Table.Role role) {
      return attribute(column, type, role, column);
    }

    /** A column from an attribute, whose text is exactly a value of the type. */
    public Draft attribute(String column, ColumnType type, Table.Role role, String attribute) {
      return add(
          new Table.Column(column, type, role),
          attribute,
          content -> {
            String text = content.attribute(attribute);
            return text == null ? null : converted(type, text);
          });
    }

    private static Object converted(ColumnType type, String text) {
      try {
        return Conversion.fromText(type, text);
      } catch (IllegalArgumentException refused) {
        throw new IllegalArgumentException("'" + text + "': " + refused.getMessage(), refused);
      }
    }

    /** A column from a member of the JSON object that is the body. */
    public Draft json(String column, ColumnType type, Table.Role role, String... path) {
      List<String> names = path.length == 0 ? List.of(column) : List.of(path);
      return add(
          new Table.Column(column, type, role),
          String.join(".", names),
          content -> {
            Object value = content.json(names);
            return value == null ? null : Conversion.fromJson(type, value);
          });
    }

    /**
     * A column computed from the message; an exception of the function is the reason of a dead
     * letter.
     *
     * @param value gives a value of the type's class, or null for none
     */
    public Draft computed(
        String column,
        ColumnType type,
        Table.Role role,
        Function<Message, ? extends @Nullable Object> value) {
      return add(
          new Table.Column(column, type, role),
          column,
          content -> {
            Object computed = value.apply(content.message());
            return computed == null ? null : type.javaType().cast(computed);
          });
    }

    private Draft add(
        Table.Column column, String from, Function<Content, @Nullable Object> extractor) {
      columns.add(column);
      extractors.add(new Extractor(from, extractor));
      return this;
    }

    /**
     * The mapping.
     *
     * @throws IllegalArgumentException if there is no key, or a column twice
     */
    public TableMapping build() {
      return new TableMapping(Table.of(name, columns), List.copyOf(extractors));
    }
  }
}
