package dev.tidemark.architecture;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A module as a build names it.
 *
 * @param artifact its name
 * @param version its version; empty where it is left to the bill of materials
 */
record Coordinates(String artifact, String version) {
  private static final Pattern NAMED =
      Pattern.compile(
          "<groupId>dev\\.tidemark</groupId>\\s*<artifactId>([^<]+)</artifactId>"
              + "(?:\\s*<version>([^<]+)</version>)?");

  /** All that {@code xml}, or a text with XML in it, names. */
  static List<Coordinates> in(String xml) {
    return NAMED
        .matcher(xml)
        .results()
        .map(
            found ->
                new Coordinates(found.group(1), Objects.requireNonNullElse(found.group(2), "")))
        .toList();
  }
}
