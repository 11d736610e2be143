package dev.tidemark.partitions.internal.policy;

import dev.tidemark.kv.UsageException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of one mapping. Each is taken out when it is read; what is left over is unknown. */
final class YamlFields {
  /** A year; clocks of nanoseconds end after some centuries. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  private final String path;
  private final Map<String, Object> left;

  private YamlFields(String path, Map<String, Object> left) {
    this.path = path;
    this.left = left;
  }

  static YamlFields of(String path, Object loaded) {
    if (!(loaded instanceof Map<?, ?> map)) {
      throw UsageException.invalidOption(
          "The policy%s is \"%s\"; it must be a mapping of fields"
              .formatted(path.isEmpty() ? "" : "'s " + path, loaded));
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    map.forEach((name, value) -> fields.put(String.valueOf(name), value));
    return new YamlFields(path, fields);
  }

  YamlFields section(String name) {
    Object value = left.remove(name);
    return of(full(name), value == null ? Map.of() : value);
  }

  String text(String name) {
    return String.valueOf(required(name));
  }

  String text(String name, String otherwise) {
    Object value = left.remove(name);
    return value == null ? otherwise : value.toString();
  }

  double number(String name) {
    return number(name, required(name));
  }

  double number(String name, double otherwise) {
    Object value = left.remove(name);
    return value == null ? otherwise : number(name, value);
  }

  private double number(String name, Object value) {
    if (value instanceof Number number
        && number.doubleValue() >= 0
        && Double.isFinite(number.doubleValue())) {
      return number.doubleValue();
    }
    throw wrong(name, value, "a number of 0 or more");
  }

  long whole(String name, long otherwise) {
    Object value = left.remove(name);
    if (value == null) {
      return otherwise;
    }
    if (value instanceof Integer number && number >= 0) {
      return number;
    }
    throw wrong(name, value, "a whole number of 0 or more");
  }

  Duration time(String name) {
    return time(name, required(name));
  }

  Duration timeOrNone(String name) {
    Object value = left.remove(name);
    return value == null ? Duration.ZERO : time(name, value);
  }

  private Duration time(String name, Object value) {
    Matcher matcher = TIME.matcher(value.toString());
    if (!matcher.matches()) {
      throw wrong(name, value, "a time such as 500ms, 30s, 5m or 1h");
    }
    long amount = Long.parseLong(matcher.group(1));
    Duration time =
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          default -> Duration.ofHours(amount);
        };
    if (time.compareTo(LONGEST) > 0) {
      throw wrong(name, value, "at most %dh".formatted(LONGEST.toHours()));
    }
    return time;
  }

  private Object required(String name) {
    @Nullable Object value = left.remove(name);
    if (value == null) {
      throw UsageException.invalidOption(
          "The policy has no %s; it must be given".formatted(full(name)));
    }
    return value;
  }

  void expectNoMore() {
    if (!left.isEmpty()) {
      throw UsageException.invalidOption(
          "The policy has the unknown field %s; remove it or correct its name"
              .formatted(full(left.keySet().iterator().next())));
    }
  }

  private UsageException wrong(String name, Object value, String expected) {
    return UsageException.invalidOption(
        "The policy's %s is \"%s\"; it must be %s".formatted(full(name), value, expected));
  }

  private String full(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
