package dev.tidemark.records.internal.index;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.Columns;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.schema.IndexSpec;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the values by which callers name the groups of an index. */
public final class GroupKey {
  private GroupKey() {}

  /** The group with {@code values}, one for each column of a group. */
  public static Tuple whole(IndexSpec index, Columns columns, @Nullable Object[] values) {
    if (values.length != index.groupColumns()) {
      throw mismatch(index, columns, Arrays.asList(values));
    }
    return IndexKeyRange.elements(index, columns, Arrays.asList(values));
  }

  /** The prefix of the groups with {@code values} in their first columns. */
  public static Tuple prefix(IndexSpec index, Columns columns, @Nullable Object[] values) {
    if (values.length > index.groupColumns()) {
      throw mismatch(index, columns, Arrays.asList(values));
    }
    return IndexKeyRange.elements(index, columns, Arrays.asList(values));
  }

  private static IllegalArgumentException mismatch(
      IndexSpec index, Columns columns, List<?> values) {
    int expected = index.groupColumns();
    List<String> names = columns.names();
    List<String> group = names.subList(0, expected);
    StringBuilder text = new StringBuilder();
    text.append(
        "Grouping values count (%d) does not match expected count (%d) for index '%s'"
            .formatted(values.size(), expected, index.name()));
    text.append("\nExpected grouping fields: ").append(group);
    if (expected < names.size()) {
      text.append("\nValue field: ").append(names.get(expected));
    }
    text.append("\nProvided values: ").append(KeyElements.quoted(values));
    if (values.size() < expected) {
      text.append("\nMissing: ").append(group.subList(values.size(), expected));
    } else {
      text.append("\nExtra values: ")
          .append(KeyElements.quoted(values.subList(expected, values.size())));
    }
    return new IllegalArgumentException(text.toString());
  }
}
