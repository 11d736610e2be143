package dev.tidemark.architecture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What {@code ./tidemark} answered.
 *
 * @param exitCode how it ended
 * @param text what it printed, errors included
 */
record Launcher(int exitCode, String text) {
  private static final Pattern COMMAND = Pattern.compile("(?m)^ {2}([a-z]+) ");

  /** Runs the launcher from a directory that is not its own. */
  static Launcher run(String... arguments) throws IOException, InterruptedException {
    Path root = Repository.root();
    List<String> command = new ArrayList<>(List.of(root.resolve("tidemark").toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .directory(root.resolve("tidemark-architecture").toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Launcher(process.waitFor(), text);
  }

  /** The commands that the usage text lists. */
  List<String> commands() {
    return COMMAND.matcher(text).results().map(found -> found.group(1)).toList();
  }
}
