package dev.tidemark.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A document in Markdown, or a part of it, that shows code which tests run.
 *
 * <p>Paths are relative to the top of the repository: the directory that the system property {@code
 * tidemark.root} names, or the parent of the one that the tests run in. How lines are broken and
 * indented does not count.
 */
public final class Guide {
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

  private final String text;

  private Guide(String text) {
    this.text = text;
  }

  /** Reads the document at {@code path}. */
  public static Guide read(String path) {
    return new Guide(readFile(root().resolve(path)));
  }

  /**
   * The part below {@code heading}, which is a whole line such as {@code ## Indexes}, up to the
   * next heading of its level or a higher one.
   */
  public Guide part(String heading) {
    List<String> lines = text.lines().toList();
    int begin = lines.indexOf(heading);
    assertThat(begin).as("the line of the heading %s", heading).isNotNegative();
    int level = heading.indexOf(' ');
    Pattern next = Pattern.compile("#{1," + level + "} .*");
    int end = begin + 1;
    while (end < lines.size() && !next.matcher(lines.get(end)).matches()) {
      end++;
    }
    return new Guide(String.join("\n", lines.subList(begin, end)));
  }

  /** The blocks of Java, in their order. */
  public List<String> blocks() {
    return JAVA.matcher(text).results().map(block -> block.group(1)).toList();
  }

  /**
   * Fails unless there are {@code count} blocks of Java and each of them is part of a source. A
   * source is a file, or a directory whose files all count.
   */
  public void showsCodeOf(int count, String... sources) {
    String code = Stream.of(sources).map(Guide::readSource).reduce("", String::concat);
    assertThat(blocks()).as("blocks of Java in the guide").hasSize(count);
    for (String block : blocks()) {
      assertThat(squeeze(code)).as("code that runs").contains(squeeze(block));
    }
  }

  /** Fails unless the document shows {@code output}, in any block or as text. */
  public void showsOutput(String output) {
    assertThat(squeeze(text)).as("the text of the guide").contains(squeeze(output));
  }

  /**
   * Fails unless the document shows {@code output}, where all that matches {@code varying} may be
   * something else that matches it.
   */
  public void showsOutput(String output, Pattern varying) {
    new Guide(varying.matcher(text).replaceAll("…"))
        .showsOutput(varying.matcher(output).replaceAll("…"));
  }

  private static String readSource(String source) {
    Path path = root().resolve(source);
    if (!Files.isDirectory(path)) {
      return readFile(path);
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(Files::isRegularFile).map(Guide::readFile).reduce("", String::concat);
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot list the sources in " + path, failure);
    }
  }

  private static Path root() {
    return Path.of(System.getProperty("tidemark.root", ".."));
  }

  private static String readFile(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException failure) {
      throw new UncheckedIOException("Cannot read " + file, failure);
    }
  }

  private static String squeeze(String text) {
    return WHITE_SPACE.matcher(text).replaceAll("");
  }
}
