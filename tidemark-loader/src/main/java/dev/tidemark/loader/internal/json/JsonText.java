package dev.tidemark.loader.internal.json;

import java.util.List;
import java.util.Map;

/** Writes objects of texts as JSON. */
public final class JsonText {
  private static final int FIRST_PRINTABLE = 0x20;

  private JsonText() {}

  /** A JSON object on one line; values are texts, numbers, lists or such maps. */
  public static String object(Map<String, ?> members) {
    StringBuilder json = new StringBuilder();
    append(json, members);
    return json.toString();
  }

  private static void append(StringBuilder json, Object value) {
    switch (value) {
      case Map<?, ?> members -> {
        String separator = "{";
        for (Map.Entry<?, ?> member : members.entrySet()) {
          json.append(separator);
          quote(json, String.valueOf(member.getKey()));
          json.append(':');
          append(json, member.getValue());
          separator = ",";
        }
        json.append(members.isEmpty() ? "{}" : "}");
      }
      case List<?> elements -> {
        json.append('[');
        String separator = "";
        for (Object element : elements) {
          json.append(separator);
          append(json, element);
          separator = ",";
        }
        json.append(']');
      }
      case Number number -> json.append(number);
      default -> quote(json, value.toString());
    }
  }

  private static void quote(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < FIRST_PRINTABLE || Character.isSurrogate(c)) {
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }
}
