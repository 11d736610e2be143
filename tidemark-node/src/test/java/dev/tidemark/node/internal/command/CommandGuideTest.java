package dev.tidemark.node.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The examples of docs/command.md. */
class CommandGuideTest {
  private static final Pattern SESSION = Pattern.compile("(?s)```console\n(.*?)```");
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

  @Test
  void everyCommandHasAnExampleThatIsUnderstood() throws IOException {
    List<CommandLine> shown = new ArrayList<>();
    for (String line : guide().lines().map(String::strip).toList()) {
      String call = line.startsWith("$ ") ? line.substring(2) : line;
      if (call.startsWith("./tidemark ")) {
        CommandLine.ParseResult parsed =
            new CommandTable(Console.to(System.out, System.err))
                .root()
                .parseArgs(CommandTableTest.words(call));
        shown.add(parsed.asCommandLineList().getLast());
      }
    }
    Set<String> names =
        shown.stream()
            .map(each -> each.getCommandSpec().qualifiedName())
            .collect(Collectors.toSet());
    for (CommandLine leaf :
        CommandTableTest.leaves(new CommandTable(Console.to(System.out, System.err)).root())) {
      assertThat(names).contains(leaf.getCommandSpec().qualifiedName());
    }
  }
}
