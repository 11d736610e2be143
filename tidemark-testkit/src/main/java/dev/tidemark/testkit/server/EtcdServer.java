package dev.tidemark.testkit.server;

import dev.tidemark.testkit.Eventually;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real etcd on the loopback address, with all its files below one directory. The program is not
 * included: it is searched for on the path, where Debian's package etcd-server puts it.
 */
public final class EtcdServer implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 30;
  private static final int CONNECT_MILLIS = 500;

  private final Path program;
  private final Path directory;
  private final int port;
  private final int peerPort;
  private final List<String> settings;
  private @Nullable Process process;

  private EtcdServer(Path program, Path directory, int port, int peerPort, List<String> settings) {
    this.program = program;
    this.directory = directory;
    this.port = port;
    this.peerPort = peerPort;
    this.settings = settings;
  }

  /** Where etcd is installed; empty if it is not. */
  public static Optional<Path> find() {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(Stream.of(path.split(File.pathSeparator, -1)), Stream.of("/usr/bin"))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, "etcd"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts a server with nothing in it, and waits until it listens.
   *
   * @param directory where its files are; the caller removes it
   * @param settings further options, like {@code --auto-compaction-mode=revision}
   * @throws IllegalStateException if there is no etcd on this machine, or it does not start
   */
  public static EtcdServer start(Path directory, String... settings) {
    Path program =
        find()
            .orElseThrow(
                () -> new IllegalStateException("There is no etcd here; install etcd-server"));
    List<Integer> ports = freePorts();
    EtcdServer server =
        new EtcdServer(program, directory, ports.get(0), ports.get(1), List.of(settings));
    server.start();
    return server;
  }

  private static List<Integer> freePorts() {
    try (ServerSocket one = free();
        ServerSocket other = free()) {
      return List.of(one.getLocalPort(), other.getLocalPort());
    } catch (IOException failure) {
      throw new UncheckedIOException("No free port", failure);
    }
  }

  private static ServerSocket free() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  /** Starts the server again, with what it has on disk. Waits until it listens. */
  public void start() {
    String client = (isSecure() ? "https" : "http") + "://127.0.0.1:" + port;
    String peer = "http://127.0.0.1:" + peerPort;
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.add("--data-dir=" + directory.resolve("data"));
    command.add("--listen-client-urls=" + client);
    command.add("--advertise-client-urls=" + client);
    command.add("--listen-peer-urls=" + peer);
    command.add("--initial-advertise-peer-urls=" + peer);
    command.add("--initial-cluster=default=" + peer);
    command.addAll(settings);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("ETCD"));
    builder.environment().put("ETCD_UNSUPPORTED_ARCH", System.getProperty("os.arch"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    try {
      Files.createDirectories(directory);
      process = builder.start();
    } catch (IOException failure) {
      throw new UncheckedIOException("etcd does not start", failure);
    }
    awaitListening(process);
  }

  private boolean isSecure() {
    return settings.stream().anyMatch(setting -> setting.startsWith("--cert-file"));
  }

  private Path log() {
    return directory.resolve("log");
  }

  private void awaitListening(Process started) {
    Eventually.eventually(
        () -> "etcd listens; see " + log(), () -> !started.isAlive() || isListening());
    if (!started.isAlive()) {
      throw new IllegalStateException("etcd ended; see " + log());
    }
  }

  private boolean isListening() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Its address: {@code http://127.0.0.1:2379}. */
  public String endpoint() {
    return (isSecure() ? "https" : "http") + "://127.0.0.1:" + port;
  }

  /** The port at which clients are served. */
  public int port() {
    return port;
  }

  /** Ends the server at once, as a crash does; what it has on disk stays. */
  public void kill() {
    Process running = process;
    process = null;
    if (running != null) {
      running.destroyForcibly();
      try {
        if (!running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          throw new IllegalStateException(
              "etcd, process %d, does not end".formatted(running.pid()));
        }
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    kill();
  }
}
