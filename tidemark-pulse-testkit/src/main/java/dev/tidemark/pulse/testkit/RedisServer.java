package dev.tidemark.pulse.testkit;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.spi.FileTrees;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A real redis-server on the loopback address, taken out of a jar on the class path. It ends with
 * the process that started it, however that one ends.
 *
 * <p>The jar is not brought along: whoever uses this adds {@code org.signal:embedded-redis} for 7.0
 * or {@code com.github.codemonstur:embedded-redis} for 6.2 to the class path.
 */
public final class RedisServer implements AutoCloseable {
  /**
   * Nothing is forked while a binary is written: the child would have it open for writing until it
   * runs, and whoever starts that binary would be told that the file is busy.
   */
  private static final ReentrantLock FORKS = new ReentrantLock();

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Starts the server, tells its process id, and ends it when nobody holds the input any more. */
  private static final String GUARD =
      "\"$0\" \"$@\" >\"$1.out\" 2>&1 & p=$!; echo $p; read end; kill $p; wait $p";

  /** Which server. */
  public enum Version {
    /** 7.0.15. */
    V7_0("redis-server-7.0.15-%s", "org.signal:embedded-redis"),
    /** 6.2, the oldest that is supported. */
    V6_2("redis-server-6.2.6-v5-%s", "com.github.codemonstur:embedded-redis");

    private final String resource;
    private final String artifact;

    Version(String resource, String artifact) {
      this.resource = resource;
      this.artifact = artifact;
    }
  }

  private final Path directory;
  private final int port;
  private final boolean sentinel;
  private final List<String> settings;
  private @Nullable Process guard;
  private Optional<ProcessHandle> server = Optional.empty();

  private RedisServer(Path directory, int port, boolean sentinel, List<String> settings) {
    this.directory = directory;
    this.port = port;
    this.sentinel = sentinel;
    this.settings = settings;
  }

  /**
   * Starts a server that keeps nothing on disk unless {@code settings} say so.
   *
   * @param directory where it works; made here, and removed by {@link #close}
   * @param settings lines of its configuration, like {@code appendonly yes}
   */
  public static RedisServer start(Path directory, Version version, String... settings) {
    return start(directory, version, false, List.of(settings));
  }

  /** Starts a server that only watches over others, as a Sentinel. */
  static RedisServer startSentinel(Path directory, Version version, String... settings) {
    return start(directory, version, true, List.of(settings));
  }

  private static RedisServer start(
      Path directory, Version version, boolean sentinel, List<String> settings) {
    try {
      Files.createDirectories(directory);
      unpack(version, directory.resolve("redis-server"));
      RedisServer server = new RedisServer(directory, freePort(), sentinel, settings);
      server.start();
      return server;
    } catch (IOException failure) {
      throw new UncheckedIOException("No redis-server can be made in " + directory, failure);
    }
  }

  private static void unpack(Version version, Path target) throws IOException {
    String name = version.resource.formatted(platform());
    try (InputStream binary = RedisServer.class.getResourceAsStream("/" + name)) {
      if (binary == null) {
        throw new IllegalStateException(
            "There is no " + name + " on the class path; add " + version.artifact);
      }
      FORKS.lock();
      try {
        Files.copy(binary, target);
      } finally {
        FORKS.unlock();
      }
    }
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
  }

  private static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return (system.contains("mac") ? "darwin-" : "linux-")
        + (machine.equals("aarch64") ? "arm64" : "amd64");
  }

  /** A port of the loopback address that nobody listens at. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Starts the server again, with what it kept on disk. Waits until it answers. */
  public void start() {
    try {
      Process started = fork();
      guard = started;
      BufferedReader output = started.inputReader(StandardCharsets.US_ASCII);
      server = ProcessHandle.of(Long.parseLong(output.readLine()));
    } catch (IOException failure) {
      throw new UncheckedIOException("The redis-server does not start", failure);
    }
    awaitAnswer();
  }

  private Process fork() throws IOException {
    FORKS.lock();
    try {
      return new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    } finally {
      FORKS.unlock();
    }
  }

  private List<String> command() throws IOException {
    List<String> words = new ArrayList<>(List.of("sh", "-c", GUARD));
    words.add(directory.resolve("redis-server").toString());
    words.add(configuration());
    if (sentinel) {
      words.add("--sentinel");
    }
    return words;
  }

  private String configuration() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("port " + port);
    lines.add("bind 127.0.0.1");
    lines.add("dir \"" + directory.toAbsolutePath() + "\"");
    lines.add("logfile \"" + directory.toAbsolutePath().resolve("log") + "\"");
    lines.add("save \"\"");
    lines.addAll(settings);
    if (Files.notExists(directory.resolve("redis.conf"))) {
      Files.write(directory.resolve("redis.conf"), lines);
    }
    return directory.resolve("redis.conf").toString();
  }

  private void awaitAnswer() {
    TimeSource time = TimeSource.system();
    long deadline = time.nanos() + PATIENCE.toNanos();
    while (true) {
      try (RedisTalk talk = RedisTalk.to(port)) {
        String answer = talk.ask("PING");
        if (!answer.startsWith("-LOADING")) {
          return;
        }
      } catch (UncheckedIOException notYet) {
        if (time.nanos() > deadline || !server.map(ProcessHandle::isAlive).orElse(false)) {
          stop();
          throw new IllegalStateException("The redis-server does not run: " + log(), notYet);
        }
      }
      pause(time);
    }
  }

  static void pause(TimeSource time) {
    try {
      time.sleep(Duration.ofMillis(10));
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for a redis-server", interrupt);
    }
  }

  /** What the server wrote into its log, or said before it had one. */
  public String log() {
    try {
      Path log = directory.resolve("log");
      return Files.readString(Files.exists(log) ? log : directory.resolve("redis.conf.out"));
    } catch (IOException none) {
      return "(no log: " + none.getMessage() + ")";
    }
  }

  /** The port of the loopback address at which it listens. */
  public int port() {
    return port;
  }

  /** Its address: {@code redis://127.0.0.1:6379}. */
  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  /** The process, to pause or to kill it. Empty while it is stopped. */
  public Optional<ProcessHandle> process() {
    return server;
  }

  /**
   * Sends a command and returns the answer as text, with the first character of the protocol:
   * {@code +OK}, {@code :1}, {@code -ERR …}, {@code $value}, or nested lists.
   */
  public String command(String... words) {
    try (RedisTalk talk = RedisTalk.to(port)) {
      return talk.ask(words);
    }
  }

  /** Ends the server as an operator does; what it keeps on disk stays. */
  public void stop() {
    Process running = guard;
    if (running == null) {
      return;
    }
    guard = null;
    server = Optional.empty();
    try {
      running.getOutputStream().close();
      if (!running.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        running.descendants().forEach(ProcessHandle::destroyForcibly);
        running.destroyForcibly();
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("The redis-server does not stop", failure);
    } catch (InterruptedException interrupt) {
      running.descendants().forEach(ProcessHandle::destroyForcibly);
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the server at once, as a crash does; what it keeps on disk stays. */
  public void kill() {
    server.ifPresent(ProcessHandle::destroyForcibly);
    stop();
  }

  /** Ends the server and removes its directory. */
  @Override
  public void close() {
    kill();
    try {
      FileTrees.remove(directory);
    } catch (IOException failure) {
      throw new UncheckedIOException("The directory " + directory + " stays", failure);
    }
  }
}
