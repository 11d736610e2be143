package dev.tidemark.bench.measure;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Maps, lists, numbers, truth values and strings as JSON text. */
public final class Json {
  private Json() {}

  public static String of(Object value) {
    return switch (value) {
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> quote(String.valueOf(entry.getKey())) + ":" + of(entry.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> list -> list.stream().map(Json::of).collect(Collectors.joining(",", "[", "]"));
      case Double number when !Double.isFinite(number) -> "null";
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      default -> quote(value.toString());
    };
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
