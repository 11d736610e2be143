package dev.tidemark.node.internal.console;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
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

  /** An object with the given names and values, in turn, in their order. */
  public static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return object;
  }

  /** A number with one digit behind the point. */
  public static double rounded(double number) {
    return Math.round(number * 10) / 10.0;
  }

  /** Bytes as Base64, collections by element; the rest as JSON or as the text that it prints. */
  public static @Nullable Object plain(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case byte[] bytes -> Base64.getEncoder().encodeToString(bytes);
      case Map<?, ?> map -> {
        Map<Object, @Nullable Object> plain = new LinkedHashMap<>();
        map.forEach((key, each) -> plain.put(key, plain(each)));
        yield plain;
      }
      case Iterable<?> elements -> {
        List<@Nullable Object> plain = new ArrayList<>();
        elements.forEach(each -> plain.add(plain(each)));
        yield plain;
      }
      default -> value;
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
