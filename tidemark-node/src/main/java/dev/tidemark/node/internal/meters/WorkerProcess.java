package dev.tidemark.node.internal.meters;

import dev.tidemark.remote.RemoteDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;

/**
 * A worker in a process of its own, which reaches the store over the network and is killed on
 * purpose.
 */
public final class WorkerProcess implements AutoCloseable {
  private final Process process;

  private WorkerProcess(Process process) {
    this.process = process;
  }

  /** Starts one that works on the store at {@code address}. */
  static WorkerProcess start(URI address, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            WorkerProcess.class.getName(),
            address.toString());
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    return new WorkerProcess(builder.start());
  }

  /** What the process does: it works on the store at the argument until its input ends. */
  public static void main(String[] args) throws IOException {
    String address = args[0];
    try (RemoteDatabase database = RemoteDatabase.connect(URI.create(address))) {
      Worker worker = new Worker(database);
      try (worker) {
        System.out.println("A worker is connected to " + address);
        System.in.transferTo(OutputStream.nullOutputStream());
      }
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Kills the process without a warning. */
  void kill() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
