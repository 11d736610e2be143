package dev.tidemark.node.internal.ctl;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values as JSON text: maps, lists, numbers, truths, optionals; everything else as a text. */
public final class Json {
  private Json() {}

  /** The text of {@code value}. */
  public static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Optional<?> optional -> of(optional.orElse(null));
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> text(String.valueOf(entry.getKey())) + ":" + of(entry.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case List<?> list -> list.stream().map(Json::of).collect(Collectors.joining(",", "[", "]"));
      case Double number -> Double.isFinite(number) ? number.toString() : "null";
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      default -> text(value.toString());
    };
  }

  private static String text(String value) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char character = value.charAt(i);
      switch (character) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        default -> {
          if (character < ' ') {
            json.append("\\u%04x".formatted((int) character));
          } else {
            json.append(character);
          }
        }
      }
    }
    return json.append('"').toString();
  }
}
