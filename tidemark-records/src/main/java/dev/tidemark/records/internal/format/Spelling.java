package dev.tidemark.records.internal.format;

import java.util.Locale;

/** Converts names between the spellings of Java, stored names and .proto files. */
public final class Spelling {
  private Spelling() {}

  /** {@code createdAt} as {@code created_at}. */
  public static String snake(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
        .replaceAll("([A-Z])([A-Z][a-z])", "$1_$2")
        .toLowerCase(Locale.ROOT);
  }

  /** {@code labels} as {@code Labels}. */
  public static String capitalized(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }
}
