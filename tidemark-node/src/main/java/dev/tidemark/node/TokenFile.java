package dev.tidemark.node;

import dev.tidemark.remote.Role;
import dev.tidemark.remote.ServerOptions;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The tokens that clients of a server may show, one in a line after what its holder may do: {@code
 * read-write TOKEN} or {@code read-only TOKEN}; or the one token of a client, alone. Empty lines
 * and lines that begin with {@code #} say nothing.
 */
final class TokenFile {
  private static final Set<PosixFilePermission> OF_OTHERS =
      EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  private final Path file;

  TokenFile(Path file) {
    this.file = file;
  }

  /** Whether others than its owner can read the file, as far as the file system tells. */
  boolean isReadableByOthers() throws IOException {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        && Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains);
  }

  /**
   * These options with the tokens of the file.
   *
   * @throws ServeException if a line is malformed, or there is no token at all
   */
  ServerOptions addTo(ServerOptions options) throws IOException {
    ServerOptions result = options;
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (holds(line)) {
        String[] words = line.split("\\s+", -1);
        result = result.withToken(token(words, i + 1), role(words[0], i + 1));
      }
    }
    if (result.tokens().isEmpty()) {
      throw new ServeException(
          "%s holds no token, so nobody could connect; add a line such as: read-write TOKEN"
              .formatted(file));
    }
    return result;
  }

  /**
   * The only token in the file of a client, which has no role before it.
   *
   * @throws IllegalArgumentException if the file holds something else
   */
  String single() throws IOException {
    List<String> lines =
        Files.readAllLines(file).stream().map(String::strip).filter(TokenFile::holds).toList();
    if (lines.size() != 1 || lines.getFirst().chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException(
          "%s must hold one token, alone in its line, and has something else".formatted(file));
    }
    return lines.getFirst();
  }

  private static boolean holds(String line) {
    return !line.isEmpty() && !line.startsWith("#");
  }

  private String token(String[] words, int line) {
    if (words.length != 2) {
      throw malformed(line, "has %d words, not 2".formatted(words.length));
    }
    return words[1];
  }

  private Role role(String word, int line) {
    return switch (word) {
      case "read-write" -> Role.READ_WRITE;
      case "read-only" -> Role.READ_ONLY;
      default -> throw malformed(line, "does not begin with read-write or read-only");
    };
  }

  /** Says where, and never what: the line may hold a secret. */
  private ServeException malformed(int line, String problem) {
    return new ServeException(
        "Line %d of %s %s; a line is: read-write TOKEN or read-only TOKEN"
            .formatted(line, file, problem));
  }
}
