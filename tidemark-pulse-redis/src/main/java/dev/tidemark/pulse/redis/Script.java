package dev.tidemark.pulse.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A script that the server runs as one step. Its file defines {@code apply}.
 *
 * @param text what the server compiles
 * @param digest by which the server knows it afterwards
 */
record Script(String text, String digest) {
  /** The script in the file {@code name}, for steps that may be repeated without harm. */
  static Script of(String name) {
    return compose(file(name) + "\nreturn (apply())\n");
  }

  /**
   * The script in the file {@code name} with a memory: a repeated operation is not carried out
   * again and gets the first answer. See {@link Operations}.
   */
  static Script once(String name) {
    return compose(file(name) + file("once"));
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
