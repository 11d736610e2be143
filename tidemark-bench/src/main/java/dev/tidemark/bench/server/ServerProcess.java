package dev.tidemark.bench.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The parent's side of a {@link ServerChild}. */
public final class ServerProcess implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 30;

  private final Process process;
  private final List<Integer> ports;

  private ServerProcess(Process process, List<Integer> ports) {
    this.process = process;
    this.ports = ports;
  }

  /** Starts a child with {@code arguments} and waits until it serves. */
  public static ServerProcess start(Path errors, String... arguments) throws IOException {
    Process process = launch(errors, List.of(), ServerChild.class, arguments);
    try {
      // Not closed: the child may still print, and must not fail by it.
      BufferedReader lines = process.inputReader();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(ServerChild.READY)) {
          List<String> words = Arrays.asList(line.split(" ", -1));
          return new ServerProcess(
              process, words.subList(1, words.size()).stream().map(Integer::valueOf).toList());
        }
      }
      throw new IllegalStateException("The server did not start: " + Files.readString(errors));
    } catch (IOException | RuntimeException failure) {
      process.destroyForcibly();
      throw failure;
    }
  }

  /** Starts {@code main} with the class path of this process and these options of the JVM. */
  public static Process launch(
      Path errors, List<String> options, Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(errors.toFile()).start();
  }

  public int port(int number) {
    return ports.get(number);
  }

  /** Lets the child end by itself; it does so at the latest when this process ends. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException gone) {
      process.destroyForcibly();
    } catch (InterruptedException interrupt) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
