package dev.tidemark.node.internal.command.serve;

import dev.tidemark.node.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command {@code serve} in a process of its own. */
final class ServeProcess implements AutoCloseable {
  private final Process process;
  private final Path errors;
  private final URI uri;
  private final BufferedReader lines;

  private ServeProcess(Process process, BufferedReader lines, Path errors, URI uri) {
    this.process = process;
    this.lines = lines;
    this.errors = errors;
    this.uri = uri;
  }

  /** Starts it and waits for the line that tells its address. */
  static ServeProcess start(Path directory, String... options) throws IOException {
    return start(Main.class, directory, options);
  }

  /** Starts {@code main} in place of the command. */
  static ServeProcess start(Class<?> main, Path directory, String... options) throws IOException {
    Path errors = directory.resolveSibling("errors");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx256m", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(main.getName(), "serve", directory.toString()));
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    BufferedReader lines = process.inputReader();
    String line = lines.readLine();
    Matcher serving =
        Pattern.compile(
                "tidemark: serving (.+) at (\\S+)|\\{\"event\":\"serving\",\"directory\":\"(.+)\",\"address\":\"(.+)\"}")
            .matcher(String.valueOf(line));
    if (!serving.matches()
        || !directory
            .toString()
            .equals(serving.group(1) == null ? serving.group(3) : serving.group(1))) {
      process.destroyForcibly();
      throw new IllegalStateException("Not serving: " + line + Files.readString(errors));
    }
    return new ServeProcess(
        process,
        lines,
        errors,
        URI.create(serving.group(2) == null ? serving.group(4) : serving.group(2)));
  }

  /** What it prints next. */
  String line() throws IOException {
    return String.valueOf(lines.readLine());
  }

  URI uri() {
    return uri;
  }

  String errors() throws IOException {
    return Files.readString(errors);
  }

  /** Ends it as the system's service manager would; returns its exit code. */
  int terminate() throws InterruptedException {
    process.toHandle().destroy();
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
