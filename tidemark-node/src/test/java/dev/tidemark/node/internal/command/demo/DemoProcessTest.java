package dev.tidemark.node.internal.command.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.node.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo as a process: what people do to it from a terminal and from a browser. */
class DemoProcessTest {
  private static final Pattern READINGS =
      Pattern.compile(
          "demo: readings=(\\d+) records=\\1 changes=\\1 warehouse=\\1 lost=0 duplicated=0");
  private static final Pattern CONSOLE = Pattern.compile("console +(http://\\S+)");
  private static final Pattern COMMAND = Pattern.compile("\"command\":\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final String LONG = "3600";
  private static final int PATIENCE_MINUTES = 5;

  @TempDir private Path directory;
  private final List<Process> started = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final HttpClient client = HttpClient.newHttpClient();

  /** What the pages tell people to call. */
  @BeforeEach
  void writeLauncher() throws IOException {
    Path launcher =
        Files.writeString(
            directory.resolve("tidemark"),
            """
            #!/bin/sh
            exec '%s' --enable-native-access=ALL-UNNAMED -cp '%s' %s "$@"
            """
                .formatted(
                    Path.of(System.getProperty("java.home"), "bin", "java"),
                    System.getProperty("java.class.path"),
                    Main.class.getName()));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
  }

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
    client.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"smart meters", "workers", " readings a second"})
  void anInterruptEndsThePublishingAndTheNumbersAgree(String after) throws Exception {
    Process process = demo("--seconds", LONG, "--data", "data");
    try (BufferedReader lines = process.inputReader()) {
      readTo(after, lines);
      signal("INT", process);
      readToItsEnd(lines);
    }
    assertThat(exitCode(process)).as(text.toString()).isZero();
    assertThat(text.toString())
        .contains("interrupted: nothing more is published")
        .doesNotContain("FAIL");
    assertThat(readings()).isNotNegative();

    assertThat(demoToItsEnd("--seconds", "1", "--data", "data")).as(text.toString()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"smart meters", "workers", " readings a second"})
  void aRunThatWasKilledGoesOnAndTheNumbersAgree(String after) throws Exception {
    Process process = demo("--seconds", LONG, "--data", "data");
    try (BufferedReader lines = process.inputReader()) {
      readTo(after, lines);
      signal("KILL", process);
      readToItsEnd(lines);
    }
    assertThat(exitCode(process)).isNotZero();
    assertThat(text.toString()).doesNotContain("demo: readings=");

    assertThat(demoToItsEnd("--seconds", "1", "--data", "data")).as(text.toString()).isZero();
    assertThat(readings()).isPositive();
  }

  @Test
  void theConsoleShowsTheRunToItsAuditAndTakesOrders() throws Exception {
    Process process = demo("--seconds", "6");
    String state;
    try (BufferedReader lines = process.inputReader()) {
      URI console = console(lines);
      readTo(" readings a second", lines);
      assertThat(order(console, "threshold", "1234")).isEqualTo("done");
      assertThat(order(console, "threshold", "none")).contains("not 'none'");
      state = lastState(console);
      readToItsEnd(lines);
    }
    assertThat(exitCode(process)).as(text.toString()).isZero();
    assertThat(text.toString()).contains("to 1,234 W");
    assertThat(state)
        .contains(
            "\"phase\":\"ENDED\"",
            "\"threshold\":1234",
            "\"published\":" + readings(),
            "\"loaded\":" + readings(),
            "\"line\":\"demo: readings=" + readings());
  }

  @Test
  void everyCommandThatTheConsoleShowsWorksWhenItIsCopied() throws Exception {
    String data = "Ann's data";
    Process process = demo("--seconds", LONG, "--data", data);
    try (BufferedReader lines = process.inputReader()) {
      URI console = console(lines);
      readTo(" readings a second", lines);
      String state = firstState(console);
      List<String> during = commands(state, "\"commands\":", "\"after\":");
      assertThat(during).hasSizeGreaterThan(3);
      for (String command : during) {
        call(command);
      }
      signal("INT", process);
      readToItsEnd(lines);
      assertThat(exitCode(process)).as(text.toString()).isZero();

      List<String> after = commands(state, "\"after\":", "\"again\":");
      assertThat(after).last().isEqualTo("./tidemark demo --data 'Ann'\\''s data'");
      call(after.getFirst());
      call(after.getLast() + " --seconds 1 --meters 30 --rate 400");
    }
  }

  /** The commands in the part of {@code state} that lies between two names. */
  private static List<String> commands(String state, String from, String to) {
    assertThat(state).contains(from, to);
    String part = state.substring(state.indexOf(from), state.indexOf(to));
    return COMMAND
        .matcher(part)
        .results()
        .map(found -> found.group(1).replaceAll("\\\\(.)", "$1"))
        .toList();
  }

  /** Has a shell carry out {@code command}, which must succeed and say something. */
  private void call(String command) throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    started.add(shell);
    shell.getOutputStream().close();
    String printed = new String(shell.getInputStream().readAllBytes(), UTF_8);
    assertThat(exitCode(shell)).as(command + "\n" + printed).isZero();
    assertThat(printed.isBlank()).as(command).isEqualTo(command.contains(" map set "));
  }

  private Process demo(String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            // A shell may have told its children to ignore the signal; env tells them not to.
            List.of("env", "--default-signal=INT", "./tidemark", "demo"));
    command.addAll(List.of("--meters", "30", "--rate", "400"));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    started.add(process);
    return process;
  }

  private int demoToItsEnd(String... options) throws Exception {
    text.setLength(0);
    Process process = demo(options);
    try (BufferedReader lines = process.inputReader()) {
      readToItsEnd(lines);
    }
    return exitCode(process);
  }

  /** Reads lines to one with {@code part}. */
  private String readTo(String part, BufferedReader lines) throws IOException {
    String line;
    do {
      line = lines.readLine();
      assertThat(line).as(text.toString()).isNotNull();
      text.append(line).append('\n');
    } while (!line.contains(part));
    return line;
  }

  private void readToItsEnd(BufferedReader lines) {
    lines.lines().forEach(line -> text.append(line).append('\n'));
  }

  private URI console(BufferedReader lines) throws IOException {
    Matcher address = CONSOLE.matcher(readTo("console ", lines));
    assertThat(address.find()).isTrue();
    return URI.create(address.group(1));
  }

  private long readings() {
    Matcher found = READINGS.matcher(text);
    assertThat(found.find()).as(text.toString()).isTrue();
    return Long.parseLong(found.group(1));
  }

  private static int exitCode(Process process) throws InterruptedException {
    assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
    return process.exitValue();
  }

  /** From outside, since {@link Process} closes what a process that it ends has still to say. */
  private static void signal(String name, Process process)
      throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  private String order(URI console, String name, String value) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(console.resolve("order/" + name))
                .header("Tidemark-Order", "1")
                .POST(HttpRequest.BodyPublishers.ofString(value))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private String firstState(URI console) throws Exception {
    try (Stream<String> states = states(console)) {
      return states.filter(state -> state.contains("\"commands\"")).findFirst().orElseThrow();
    }
  }

  /** Follows the run until its page gets no more. */
  private String lastState(URI console) throws Exception {
    try (Stream<String> states = states(console)) {
      return states.reduce("", (before, after) -> after);
    }
  }

  private Stream<String> states(URI console) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(console.resolve("live")).build(),
            HttpResponse.BodyHandlers.ofLines())
        .body()
        .filter(line -> line.startsWith("data: "));
  }
}
