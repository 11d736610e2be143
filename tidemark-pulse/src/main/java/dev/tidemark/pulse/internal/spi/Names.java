package dev.tidemark.pulse.internal.spi;

import dev.tidemark.kv.spi.Utf8;
import dev.tidemark.pulse.SinkOptions;
import java.util.Objects;
import java.util.Optional;

/** Which names streams, maps, pools, sinks and readers may have. */
public final class Names {
  private static final int LENGTH_MAX = 512;
  private static final String FORBIDDEN = " \0*?[]";

  private Names() {}

  /**
   * {@code name}, which is to be that of a {@code kind}: "stream", "sink".
   *
   * @throws IllegalArgumentException if it is empty, too long or has a forbidden character
   */
  public static String check(String kind, String name) {
    Objects.requireNonNull(name, () -> "The name of the " + kind + " is null; give it one");
    if (name.isEmpty() || name.length() > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "The name of a %s has 1 to %d characters, not %,d"
              .formatted(kind, LENGTH_MAX, name.length()));
    }
    for (int i = 0; i < name.length(); i++) {
      if (FORBIDDEN.indexOf(name.charAt(i)) >= 0) {
        throw new IllegalArgumentException(
            "The name of a %s has no space, NUL or * ? [ ] in it: '%s' does, at %d"
                .formatted(kind, name, i));
      }
    }
    return name;
  }

  /**
   * The name of the stream for the dead letters that a sink of {@code stream} leaves; empty if it
   * leaves none.
   *
   * @throws IllegalArgumentException if a stream cannot have it
   */
  public static Optional<String> deadLetters(String stream, SinkOptions options) {
    if (options.deliveriesMax().isEmpty()) {
      return Optional.empty();
    }
    String named = options.deadLetters().orElse(stream + ":dead");
    return Optional.of(check("dead-letter stream", named));
  }

  /**
   * The UTF-8 bytes of {@code text}.
   *
   * @throws IllegalArgumentException if there are more than {@code bytesMax}, or if {@code text}
   *     has half a surrogate pair
   */
  public static byte[] utf8(String what, String text, int bytesMax) {
    Objects.requireNonNull(text, () -> what + " is null; give an empty text for none");
    byte[] bytes = Utf8.bytes(what, text);
    if (bytes.length > bytesMax) {
      throw new IllegalArgumentException(
          "%s has %,d bytes of UTF-8; at most %,d are allowed"
              .formatted(what, bytes.length, bytesMax));
    }
    return bytes;
  }
}
