package dev.tidemark.pulse.redis.internal.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A script that the server runs as one step. The last of its files defines {@code apply}.
 *
 * @param text what the server compiles
 * @param digest by which the server knows it afterwards
 */
public record Script(String text, String digest) {
  /** What is remembered is the answer, unless a file says otherwise. */
  private static final String ANSWER_OF = "local answer_of = function(known) return known end\n";

  /** The script in the files {@code names}, for steps that may be repeated without harm. */
  public static Script of(String... names) {
    return compose(files(names) + "\nreturn (apply())\n");
  }

  /**
   * The script in the files {@code names} with a memory: a repeated operation is not carried out
   * again and gets the first answer. See {@link Operations}.
   */
  public static Script once(String... names) {
    return compose(ANSWER_OF + files(names) + file("once"));
  }

  private static String files(String... names) {
    return Stream.of(names).map(Script::file).collect(Collectors.joining("\n"));
  }

  private static Script compose(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return new Script(text, HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("Every JDK has SHA-1", impossible);
    }
  }

  private static String file(String name) {
    try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
      if (in == null) {
        throw new IllegalStateException("The script " + name + ".lua is missing in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UncheckedIOException("The script " + name + ".lua cannot be read", failure);
    }
  }
}
