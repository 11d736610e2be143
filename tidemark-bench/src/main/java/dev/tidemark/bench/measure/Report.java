package dev.tidemark.bench.measure;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a run says while it goes on, and the numbers that it leaves behind. */
public final class Report {
  private final PrintStream out;
  private final Map<String, Object> numbers = new LinkedHashMap<>();
  private final long begin = System.nanoTime();

  public Report(PrintStream out) {
    this.out = out;
  }

  public void say(String line) {
    out.println(line);
  }

  /** Announces the next part, with the time that has passed. */
  public void part(String what) {
    out.printf("[%3d s] %s%n", (System.nanoTime() - begin) / 1_000_000_000, what);
  }

  public void put(String name, Object value) {
    numbers.put(name, value);
  }

  void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, Json.of(numbers) + "\n");
  }

  /** The file {@code name} below the build directory at the root of the repository. */
  public static Path file(String name) {
    return root().resolve("target").resolve("bench").resolve(name);
  }

  /** The commit that the working directory is at, or {@code unknown}. */
  static String commit() {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12")
              .directory(root().toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String commit =
          new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return git.waitFor() == 0 && !commit.isEmpty() ? commit : "unknown";
    } catch (IOException noGit) {
      return "unknown";
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return "unknown";
    }
  }

  /** The nearest directory upwards with the build's wrapper in it, or the working directory. */
  public static Path root() {
    Path here = Path.of("").toAbsolutePath();
    for (Path path = here; path != null; path = path.getParent()) {
      if (Files.exists(path.resolve("mvnw"))) {
        return path;
      }
    }
    return here;
  }
}
