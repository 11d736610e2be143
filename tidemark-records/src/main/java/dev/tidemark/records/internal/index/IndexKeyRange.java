package dev.tidemark.records.internal.index;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.Columns;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.keys.StoreKeys.IndexKeys;
import dev.tidemark.records.query.IndexRange;
import dev.tidemark.records.query.IndexRange.Bound;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexSpec;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * The rest of the key of an entry, behind its packed columns, never begins with ff. So a packed value is the
 * first key with that value, and the packed value with ff appended is the first key with a later one. No
 * "next value" is needed, which some types do not have.
 */

/** Converts ranges of values to ranges of the keys of an index. */
public final class IndexKeyRange {
  private static final byte END = (byte) 0xff;

  private final IndexSpec index;
  private final IndexKeys keys;
  private final EntryLayout layout;

  private IndexKeyRange(IndexSpec index, IndexKeys keys, EntryLayout layout) {
    this.index = index;
    this.keys = keys;
    this.layout = layout;
  }

  public static KeyRange of(Maintainer maintainer, EntryLayout layout, IndexRange range) {
    return new IndexKeyRange(maintainer.index(), maintainer.keys(), layout).of(range);
  }

  private KeyRange of(IndexRange range) {
    int given = range.equal().size() + (range.isBounded() ? 1 : 0);
    if (given > layout.width()) {
      throw new IllegalArgumentException(
          "The index '%s' has %d columns; the range %s is about %d"
              .formatted(index.name(), layout.width(), range, given));
    }
    Tuple equal = Tuple.EMPTY;
    for (Object value : range.equal()) {
      equal = equal.append(element(equal.size(), value));
    }
    if (!range.isBounded()) {
      return keys.entriesStartingWith(equal);
    }
    if (range.lower() instanceof Bound.Prefix prefix) {
      return startingWith(equal, prefix.text());
    }
    boolean descending = isDescending(equal.size());
    Key begin = begin(equal, descending ? range.upper() : range.lower(), descending);
    Key end = end(equal, descending ? range.lower() : range.upper(), descending);
    return begin.compareTo(end) < 0 ? KeyRange.of(begin, end) : KeyRange.of(begin, begin);
  }

  /** Nulls come first in an ascending column, and a bounded column has none. */
  private Key begin(Tuple equal, Bound bound, boolean descending) {
    return switch (bound) {
      case Bound.None none -> descending ? pack(equal) : pack(equal, null).append(END);
      case Bound.Inclusive(Object value) -> pack(equal, value);
      case Bound.Exclusive(Object value) -> pack(equal, value).append(END);
      case Bound.Prefix prefix -> throw new AssertionError(prefix);
    };
  }

  /** Nulls come last in a descending column. */
  private Key end(Tuple equal, Bound bound, boolean descending) {
    return switch (bound) {
      case Bound.None none -> descending ? pack(equal, null) : pack(equal).append(END);
      case Bound.Inclusive(Object value) -> pack(equal, value).append(END);
      case Bound.Exclusive(Object value) -> pack(equal, value);
      case Bound.Prefix prefix -> throw new AssertionError(prefix);
    };
  }

  /** A packed text ends with a terminator, which longer texts do not have there. */
  private KeyRange startingWith(Tuple equal, String text) {
    checkText(equal.size(), text);
    byte[] stem = withoutLast(Tuple.of(text).pack());
    if (isDescending(equal.size())) {
      stem = withoutLast(Tuple.of((Object) KeyElements.inverted(stem)).pack());
    }
    return KeyRange.startingWith(pack(equal).append(stem));
  }

  private void checkText(int column, String text) {
    if (column >= layout.columns().size()
        || layout.columns().get(column).type() != FieldType.Scalar.STRING) {
      throw new IllegalArgumentException(
          "The range of the index '%s' asks for a beginning \"%s\" of %s, which is no text. Give bounds with from and to"
              .formatted(
                  index.name(),
                  text,
                  column >= layout.columns().size()
                      ? "a versionstamp"
                      : "the column '%s', a %s"
                          .formatted(
                              layout.columns().get(column).name(),
                              layout.columns().get(column).type())));
    }
  }

  private static byte[] withoutLast(byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length - 1);
  }

  private Key pack(Tuple equal) {
    return keys.entries().pack(equal);
  }

  private Key pack(Tuple equal, @Nullable Object value) {
    return keys.entries().pack(equal.append(element(equal.size(), value)));
  }

  private boolean isDescending(int column) {
    return column < layout.columns().size() && layout.columns().get(column).isDescending();
  }

  private @Nullable Object element(int column, @Nullable Object value) {
    return column < layout.columns().size()
        ? layout.columns().get(column).given(index, value)
        : value;
  }

  /** The elements for {@code values} of the first columns of {@code index}. */
  public static Tuple elements(IndexSpec index, Columns columns, List<?> values) {
    Tuple elements = Tuple.EMPTY;
    for (Object value : values) {
      elements = elements.append(columns.get(elements.size()).given(index, value));
    }
    return elements;
  }
}
