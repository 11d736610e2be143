package dev.tidemark.remote;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.grpc.Role;
import dev.tidemark.kv.Key;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, with little memory. */
final class SmallServer implements AutoCloseable {
  private static final int BIG_BYTES = 90_000;

  private final Process process;
  private final Path log;
  private final int port;

  private SmallServer(Process process, Path log, int port) {
    this.process = process;
    this.log = log;
    this.port = port;
  }

  /** The process: serves until nobody holds its standard input any more. */
  public static void main(String[] args) throws IOException {
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        DatabaseServer server =
            DatabaseServer.open(
                database, o -> o.withToken("reader", Role.READ).withToken("writer", Role.WRITE))) {
      database.run(tx -> tx.set(Key.utf8("big"), new byte[BIG_BYTES]));
      System.out.println(server.port());
      while (System.in.read() >= 0) {
        System.out.println(server.statistics());
      }
    }
  }

  /** Starts one with a heap of {@code megabytes}. */
  static SmallServer start(int megabytes, Path log) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + megabytes + "m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                SmallServer.class.getName())
            .redirectError(log.toFile())
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String port = out.readLine();
    if (port == null) {
      throw new IOException("The server did not start: " + Files.readString(log));
    }
    return new SmallServer(process, log, Integer.parseInt(port));
  }

  int port() {
    return port;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it has said about its troubles. */
  String log() throws IOException {
    return Files.readString(log);
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().completeOnTimeout(process, 30, TimeUnit.SECONDS).join();
    process.destroyForcibly().onExit().join();
  }
}
