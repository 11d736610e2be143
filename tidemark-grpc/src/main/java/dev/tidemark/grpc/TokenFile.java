package dev.tidemark.grpc;

import dev.tidemark.kv.UsageException;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A file of access tokens. That of a server has one token in a line, after the role of its holder:
 * {@code read-only TOKEN}, {@code read-write TOKEN}, {@code operator TOKEN} or {@code node TOKEN}.
 * That of a client has one token, alone. Empty lines and lines that begin with {@code #} say
 * nothing.
 */
public final class TokenFile {
  private static final Set<PosixFilePermission> OF_OTHERS =
      EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  private final Path file;

  /** The tokens in {@code file}, which is read when it is asked for them. */
  public TokenFile(Path file) {
    this.file = file;
  }

  /** Whether others than its owner can read the file, as far as the file system tells. */
  public boolean isReadableByOthers() throws IOException {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        && Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains);
  }

  /**
   * The tokens of a server and what their holders may do.
   *
   * @throws UsageException if a line is malformed, or there is no token at all
   */
  public Map<AccessToken, Role> roles() throws IOException {
    Map<AccessToken, Role> tokens = new HashMap<>();
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (holds(line)) {
        String[] words = line.split("\\s+", -1);
        tokens.put(new AccessToken(token(words, i + 1)), role(words[0], i + 1));
      }
    }
    if (tokens.isEmpty()) {
      throw UsageException.invalidOption(
          "%s holds no token, so nobody could connect; add a line such as: read-write TOKEN"
              .formatted(file));
    }
    return Map.copyOf(tokens);
  }

  /**
   * The only token in the file of a client, which has no role before it.
   *
   * @throws UsageException if the file holds something else
   */
  public AccessToken single() throws IOException {
    List<String> lines =
        Files.readAllLines(file).stream().map(String::strip).filter(TokenFile::holds).toList();
    if (lines.size() != 1 || lines.getFirst().chars().anyMatch(Character::isWhitespace)) {
      throw UsageException.invalidOption(
          "%s must hold one token, alone in its line, and has something else".formatted(file));
    }
    return new AccessToken(lines.getFirst());
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
      case "read-only" -> Role.READ;
      case "read-write" -> Role.WRITE;
      case "operator" -> Role.OPERATOR;
      case "node" -> Role.NODE;
      default ->
          throw malformed(line, "does not begin with read-only, read-write, operator or node");
    };
  }

  /** Names the line and never its contents, which may be a secret. */
  private UsageException malformed(int line, String problem) {
    return UsageException.invalidOption(
        "Line %d of %s %s; a line is a role and a token, such as: read-write TOKEN"
            .formatted(line, file, problem));
  }
}
