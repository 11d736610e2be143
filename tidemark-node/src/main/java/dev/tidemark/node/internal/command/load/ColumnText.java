package dev.tidemark.node.internal.command.load;

import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.TableMapping;
import dev.tidemark.node.internal.console.Misuse;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Columns as people write them: {@code total:decimal:required=order.total}. */
final class ColumnText {
  private ColumnText() {}

  /**
   * The mapping of JSON bodies to a table with these columns.
   *
   * @throws Misuse if a column cannot be understood, or none is a key
   */
  static TableMapping mapping(String table, List<String> columns) {
    TableMapping.Draft draft = TableMapping.table(table);
    try {
      columns.forEach(column -> add(draft, column));
      return draft.build();
    } catch (IllegalArgumentException wrong) {
      throw new Misuse(String.valueOf(wrong.getMessage()), wrong);
    }
  }

  private static void add(TableMapping.Draft draft, String text) {
    int equals = text.indexOf('=');
    String declared = equals < 0 ? text : text.substring(0, equals);
    String[] words = declared.split(":", -1);
    if (words.length < 2 || words.length > 3) {
      throw new Misuse(
          "'%s' is no column; one looks like id:integer:key or city:text=address.city"
              .formatted(text));
    }
    ColumnType type = constant(ColumnType.class, words[1], text);
    Table.Role role =
        words.length < 3 ? Table.Role.OPTIONAL : constant(Table.Role.class, words[2], text);
    String path = equals < 0 ? words[0] : text.substring(equals + 1);
    draft.json(words[0], type, role, names(path, text));
  }

  /** With an empty name in a path no event has a value, and all become dead letters. */
  private static String[] names(String path, String column) {
    String[] names = path.split("\\.", -1);
    if (Arrays.asList(names).contains("")) {
      throw new Misuse(
          "the path '%s' in column '%s' has an empty name; one looks like address.city"
              .formatted(path, column));
    }
    return names;
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String word, String column) {
    for (E each : type.getEnumConstants()) {
      if (name(each).equals(word)) {
        return each;
      }
    }
    throw new Misuse(
        "'%s' in column '%s' is none of %s"
            .formatted(
                word,
                column,
                Arrays.stream(type.getEnumConstants())
                    .map(ColumnText::name)
                    .collect(Collectors.joining(", "))));
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
