package dev.tidemark.loader;

import dev.tidemark.loader.internal.letters.DeadLetterFile;
import java.nio.file.Path;
import java.util.List;

/**
 * Where dead letters go. The message is acknowledged when {@link #write} has returned; if it
 * throws, the message is given back.
 */
@FunctionalInterface
public interface DeadLetters {
  /**
   * Stores dead letters for good. A message that was stored, but not acknowledged because the
   * loader crashed, comes again.
   */
  void write(List<DeadLetter> letters);

  /** Dead letters as lines of JSON at the end of a file, synced to disk. */
  static DeadLetters toFile(Path file) {
    return new DeadLetterFile(file);
  }
}
