package dev.tidemark.node.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.node.Call;
import dev.tidemark.node.internal.console.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The examples of docs/command.md. */
class CommandGuideTest {
  private static final Pattern SESSION = Pattern.compile("(?s)```console\n(.*?)```");
  private static final Pattern CALL =
      Pattern.compile("(?m)^(?: {4}|\\$ )(?:[A-Z_]+=\\S+ )?(\\./tidemark .*)$");
  private static final String PROMPT = "$ ./tidemark ";

  @TempDir private Path directory;

  private static String guide() throws IOException {
    return Files.readString(Path.of(System.getProperty("tidemark.root", ".."), "docs/command.md"));
  }

  @Test
  void sessionsPrintWhatTheGuideShows() throws IOException {
    EmbeddedDatabase.open(directory.resolve("shop")).close();
    Matcher sessions = SESSION.matcher(guide());
    int calls = 0;
    while (sessions.find()) {
      StringBuilder shown = new StringBuilder();
      for (String line :
          sessions.group(1).lines().filter(each -> each.startsWith(PROMPT)).toList()) {
        Call call = new Call();
        assertThat(call.run(inDirectory(CommandTableTest.words(line.substring(2)))))
            .as(line + "\n" + call.err())
            .isZero();
        shown.append(line).append('\n').append(call.out().replace(directory + "/", ""));
        calls++;
      }
      assertThat(shown.toString()).isEqualTo(sessions.group(1));
    }
    assertThat(calls).isGreaterThan(5);
  }

  /** The stores of the examples are in a directory of the test. */
  private String[] inDirectory(String[] words) {
    return Arrays.stream(words)
        .map(word -> word.matches("shop[a-z-]*") ? directory.resolve(word).toString() : word)
        .toArray(String[]::new);
  }

  /** The calls in {@code page}: lines of blocks, without what a shell would do with them. */
  private static List<String> calls(String page) {
    List<String> calls = new ArrayList<>();
    Matcher lines = CALL.matcher(page.replaceAll("\\\\\n +", ""));
    while (lines.find()) {
      calls.add(lines.group(1).replaceFirst("^((?:[^']|'[^']*')*?) +[#>|].*", "$1"));
    }
    return calls;
  }

  private static CommandLine parsed(String call) {
    return new CommandTable(Console.to(System.out, System.err))
        .root()
        .parseArgs(CommandTableTest.words(call))
        .asCommandLineList()
        .getLast();
  }

  /** A call that another program answers: the one with Google's client, whose tests read it. */
  private static boolean asksSpanner(String call) {
    return call.startsWith("./tidemark changes ") && call.contains(" projects/");
  }

  /** A line that somebody copies from any page is a call that makes sense. */
  @Test
  void callsInAllPagesAreUnderstood() throws IOException {
    Path root = Path.of(System.getProperty("tidemark.root", ".."));
    List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md")));
    try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    int understood = 0;
    for (Path page : pages) {
      for (String call :
          calls(Files.readString(page)).stream().filter(each -> !asksSpanner(each)).toList()) {
        assertThatCode(() -> parsed(call)).as(page + ": " + call).doesNotThrowAnyException();
        understood++;
      }
    }
    assertThat(understood).isGreaterThan(100);
  }

  @Test
  void everyCommandHasAnExampleInTheGuide() throws IOException {
    Set<String> names =
        calls(guide()).stream()
            .map(call -> parsed(call).getCommandSpec().qualifiedName())
            .collect(Collectors.toSet());
    for (CommandLine leaf :
        CommandTableTest.leaves(new CommandTable(Console.to(System.out, System.err)).root())) {
      assertThat(names).contains(leaf.getCommandSpec().qualifiedName());
    }
  }
}
