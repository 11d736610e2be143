package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.tuple.Tuple;
import dev.tidemark.foundationdb.internal.FdbErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a mapped range looks up for each row: a tuple in which <code>{K[2]}</code> and <code>{V[0]}
 * </code> stand for an element of the row's key and value. A last element <code>{...}</code> asks
 * for all keys that begin with the tuple; doubled braces in other strings are plain ones.
 *
 * @param parts what the elements are made from
 * @param range whether the keys that begin with the tuple are wanted, not the one that it is
 */
record KeyMapper(List<Part> parts, boolean range) {
  private static final String REST = "{...}";
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([KV])\\[(\\d{1,4})]}");

  /** Where one element of the tuple comes from. */
  sealed interface Part {
    /** It is the same for all rows. */
    record Fixed(Object element) implements Part {}

    /** It is an element of the row's key. */
    record OfKey(int index) implements Part {}

    /** It is an element of the row's value. */
    record OfValue(int index) implements Part {}
  }

  static KeyMapper parse(byte[] mapper) {
    List<Object> elements = unpack(mapper, "mapper", FdbErrors.MAPPER_NOT_TUPLE);
    boolean range = !elements.isEmpty() && REST.equals(elements.getLast());
    List<Part> parts = new ArrayList<>();
    for (Object element : range ? elements.subList(0, elements.size() - 1) : elements) {
      parts.add(element instanceof String text ? part(text) : new Part.Fixed(element));
    }
    return new KeyMapper(parts, range);
  }

  private static Part part(String text) {
    if (text.equals(REST)) {
      throw new FDBException(
          "{...} may only be the last element of a mapper", FdbErrors.MAPPER_BAD_RANGE);
    }
    Matcher placeholder = PLACEHOLDER.matcher(text);
    if (placeholder.matches()) {
      int index = Integer.parseInt(placeholder.group(2));
      return placeholder.group(1).equals("K") ? new Part.OfKey(index) : new Part.OfValue(index);
    }
    String plain = text.replace("{{", "").replace("}}", "");
    if (plain.contains("{") || plain.contains("}")) {
      throw new FDBException(
          "The mapper has an element '%s'; write {K[n]}, {V[n]}, {...} or double the braces"
              .formatted(text),
          FdbErrors.MAPPER_BAD_INDEX);
    }
    return new Part.Fixed(text.replace("{{", "{").replace("}}", "}"));
  }

  /** The packed tuple for {@code row}. */
  byte[] map(KeyValue row) {
    List<Object> key = null;
    List<Object> value = null;
    List<Object> result = new ArrayList<>(parts.size());
    for (Part part : parts) {
      switch (part) {
        case Part.Fixed(Object element) -> result.add(element);
        case Part.OfKey(int index) -> {
          key = key == null ? unpack(row.getKey(), "key", FdbErrors.KEY_NOT_TUPLE) : key;
          result.add(element(key, "K", index));
        }
        case Part.OfValue(int index) -> {
          value =
              value == null ? unpack(row.getValue(), "value", FdbErrors.VALUE_NOT_TUPLE) : value;
          result.add(element(value, "V", index));
        }
      }
    }
    return Tuple.fromList(result).pack();
  }

  private static Object element(List<Object> elements, String of, int index) {
    if (index >= elements.size()) {
      throw new FDBException(
          "The mapper asks for {%s[%d]}; the row's tuple has %d elements"
              .formatted(of, index, elements.size()),
          FdbErrors.MAPPER_BAD_INDEX);
    }
    return elements.get(index);
  }

  private static List<Object> unpack(byte[] bytes, String what, int code) {
    try {
      return Tuple.fromBytes(bytes).getItems();
    } catch (IllegalArgumentException malformed) {
      FDBException failure = new FDBException("The " + what + " is not a packed tuple", code);
      failure.initCause(malformed);
      throw failure;
    }
  }
}
