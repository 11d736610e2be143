package dev.tidemark.node.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.node.Call;
import dev.tidemark.node.internal.console.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What all commands have in common. */
class CommandTableTest {
  private static final Pattern LISTED = Pattern.compile("(?m)^ {2}([a-z]+) ");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  private final Call call = new Call();

  private static CommandTable table() {
    return new CommandTable(Console.to(System.out, System.err));
  }

  /** Those without commands of their own. */
  static List<CommandLine> leaves(CommandLine command) {
    return command.getSubcommands().isEmpty()
        ? List.of(command)
        : command.getSubcommands().values().stream()
            .flatMap(each -> leaves(each).stream())
            .toList();
  }

  @Test
  void listOfCommandsNamesEachOfTheTable() {
    List<String> listed =
        LISTED.matcher(RootCommand.text()).results().map(found -> found.group(1)).toList();

    assertThat(listed)
        .doesNotHaveDuplicates()
        .contains("help")
        .containsAll(table().root().getSubcommands().keySet());
    assertThat(table().root().getSubcommands().keySet())
        .containsAll(listed.stream().filter(name -> !name.equals("help")).toList());
  }

  /** Start-up is short because a call makes no other command than its own. */
  @Test
  void callMakesTheCommandThatItNames() {
    for (String name : table().root().getSubcommands().keySet()) {
      assertThat(table().root(Set.of(name)).getSubcommands().keySet()).containsExactly(name);
    }
  }

  @Test
  void everyCommandIsDescribedWithExamples() {
    for (CommandLine leaf : leaves(table().root())) {
      CommandLine.Model.UsageMessageSpec usage = leaf.getCommandSpec().usageMessage();
      String name = leaf.getCommandSpec().qualifiedName();
      assertThat(usage.description()).as(name).isNotEmpty();
      assertThat(String.join("\n", usage.footer())).as(name).contains("Examples:", "  ./" + name);
      leaf.getCommandSpec()
          .positionalParameters()
          .forEach(one -> assertThat(one.description()).as(name + one.paramLabel()).isNotEmpty());
      leaf.getCommandSpec()
          .options()
          .forEach(one -> assertThat(one.description()).as(name + one.longestName()).isNotEmpty());
    }
  }

  /** Those that print no data, or that other modules run, which end with a line of numbers. */
  @Test
  void everyCommandSpeaksJson() {
    List<String> others =
        leaves(table().root()).stream()
            .map(CommandLine::getCommandSpec)
            .filter(each -> !each.optionsMap().containsKey("--json"))
            .map(CommandLine.Model.CommandSpec::qualifiedName)
            .toList();

    assertThat(others)
        .containsExactlyInAnyOrder(
            "tidemark bench", "tidemark chaos", "tidemark test", "tidemark completion");
  }

  /** An example that is typed as shown is a call that makes sense. */
  @Test
  void examplesAreUnderstood() {
    List<String> examples = new ArrayList<>();
    for (CommandLine leaf : leaves(table().root())) {
      String footer = String.join("\n", leaf.getCommandSpec().usageMessage().footer());
      footer
          .replace("\\\n", " ")
          .lines()
          .filter(line -> line.startsWith("  ./tidemark "))
          .map(line -> line.replaceFirst(" > .*", ""))
          .forEach(examples::add);
    }
    assertThat(examples).hasSizeGreaterThan(30);
    for (String example : examples) {
      table().root().parseArgs(words(example)); // Throws if it is not understood.
    }
  }

  /** The words behind {@code ./tidemark} in a line, as a shell would hand them over. */
  static String[] words(String line) {
    return WORD.matcher(line).results().skip(1).map(CommandTableTest::word).toArray(String[]::new);
  }

  private static String word(MatchResult found) {
    return found.group(1) == null ? found.group(2) : found.group(1);
  }

  @Test
  void helpShowsExamplesWhereverItIsAskedFor() {
    assertThat(call.run("help", "records", "query")).isZero();
    String first = call.out();
    assertThat(first).contains("Usage: tidemark records query", "Examples:", "--json", "STORE");
    assertThat(call.run("records", "query", "--help")).isZero();
    assertThat(call.out()).isEqualTo(first).doesNotContain("\u001b");
    assertThat(call.run("--help")).isZero();
    assertThat(call.out()).isEqualTo(RootCommand.text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | a command is needed",
        "dance | tidemark has no command 'dance'",
        "recrods list | tidemark has no command 'recrods'; did you mean records?",
        "records qurey x | tidemark records has no command 'qurey'; did you mean query?",
        "help dance | tidemark has no command 'dance'",
        "help kv dance | tidemark kv has no command 'dance'",
        "dance --help | tidemark has no command 'dance'",
        "kv get --jsno | tidemark kv get has no option '--jsno'; did you mean --json?",
        "kv verify tidemark://127.0.0.1 | tidemark://127.0.0.1 is an address; this command takes a"
            + " directory",
        "kv get http://127.0.0.1 key | http://127.0.0.1 is no address of a server",
        "ctl members --manager here | here is no address of a server",
        "records list x --jsno | tidemark records list has no option '--jsno'; did you mean"
            + " --json?",
        "bench | Missing required parameter: 'NAME'",
        "chaos engine --rounds many | Invalid value for option '--rounds': 'many' is not an int"
      })
  void mistakeIsNamedWithTheUsageAndExitCode2(String line, String reason) {
    assertThat(call.run(line.isEmpty() ? new String[0] : line.split(" ", -1))).isEqualTo(2);
    assertThat(call.err()).startsWith("tidemark: " + reason).contains("Usage: ");
    assertThat(call.out()).isEmpty();
  }

  @Test
  void coloursAreForTerminalsOnly() {
    assertThat(help(true)).contains("\u001b[");
    assertThat(help(false)).doesNotContain("\u001b[");
  }

  private static String help(boolean terminal) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    new CommandTable(new Console(InputStream.nullInputStream(), out, out, Map.of(), terminal))
        .run("records", "query", "--help");
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** Asks bash itself what it would offer. */
  @Test
  void bashCompletesCommandsAndOptions(@TempDir Path directory)
      throws IOException, InterruptedException {
    assertThat(call.run("completion")).isZero();
    Path script = Files.writeString(directory.resolve("completion"), call.out());

    assertThat(completed(script, "tidemark", "rec")).contains("records");
    assertThat(completed(script, "tidemark", "records", "")).contains("query", "explain", "index");
    assertThat(completed(script, "tidemark", "records", "query", "--j")).contains("--json");
    assertThat(completed(script, "tidemark", "bench", "gro")).contains("growth");
    assertThat(completed(script, "tidemark", "chaos", "")).contains("engine", "loader");
  }

  /**
   * Asks bash for every command at once, since it reads the script anew for each question. Bash
   * complains that it was not asked by a key.
   */
  @Test
  void bashCompletesEveryCommandWithEveryOption(@TempDir Path directory)
      throws IOException, InterruptedException {
    assertThat(call.run("completion")).isZero();
    Path script = Files.writeString(directory.resolve("completion"), call.out());
    List<CommandLine> leaves = leaves(table().root());
    StringBuilder questions = new StringBuilder("source " + script + "\n");
    for (CommandLine leaf : leaves) {
      String[] words = leaf.getCommandSpec().qualifiedName().split(" ", -1);
      questions.append(
          "COMP_WORDS=(%s --); COMP_CWORD=%d; COMPREPLY=(); _complete_tidemark 2>/dev/null; echo \"${COMPREPLY[*]}\"%n"
              .formatted(String.join(" ", words), words.length));
    }
    List<String> answers = bash(questions.toString()).lines().toList();

    assertThat(answers).hasSameSizeAs(leaves);
    for (int i = 0; i < answers.size(); i++) {
      CommandLine.Model.CommandSpec leaf = leaves.get(i).getCommandSpec();
      assertThat(answers.get(i).split(" ", -1))
          .as(leaf.qualifiedName())
          .containsAll(
              leaf.optionsMap().keySet().stream().filter(name -> name.startsWith("--")).toList());
    }
  }

  private static List<String> completed(Path script, String... words)
      throws IOException, InterruptedException {
    String line =
        "source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_tidemark; printf '%%s\\n' \"${COMPREPLY[@]}\""
            .formatted(
                script,
                String.join(" ", Stream.of(words).map(word -> "'" + word + "'").toList()),
                words.length - 1);
    return Arrays.asList(bash(line).split("\\s+"));
  }

  private static String bash(String script) throws IOException, InterruptedException {
    Process bash = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true).start();
    bash.getOutputStream().close();
    String text = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(text).isZero();
    return text;
  }
}
