package dev.tidemark.loader.gcp;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Google's emulator of Pub/Sub: the one that PUBSUB_EMULATOR_HOST names, or one that is started
 * from the SDK that CLOUDSDK_ROOT_DIR names or {@code gcloud} on the path belongs to.
 */
final class PubSubEmulator implements AutoCloseable {
  private final String address;
  private final @Nullable Process process;

  private PubSubEmulator(String address, @Nullable Process process) {
    this.address = address;
    this.process = process;
  }

  /** An emulator, unless there is none on this machine. */
  static Optional<PubSubEmulator> find(Path folder) throws IOException {
    String running = System.getenv("PUBSUB_EMULATOR_HOST");
    if (running != null) {
      return Optional.of(new PubSubEmulator(running, null));
    }
    Optional<Path> jar = jar();
    return jar.isEmpty() ? Optional.empty() : Optional.of(start(jar.get(), folder));
  }

  private static Optional<Path> jar() throws IOException {
    for (Path root : roots()) {
      Path lib = root.resolve("platform/pubsub-emulator/lib");
      if (Files.isDirectory(lib)) {
        try (Stream<Path> files = Files.list(lib)) {
          Optional<Path> jar = files.filter(file -> file.toString().endsWith(".jar")).findFirst();
          if (jar.isPresent()) {
            return jar;
          }
        }
      }
    }
    return Optional.empty();
  }

  private static List<Path> roots() throws IOException {
    List<Path> roots = new ArrayList<>();
    String named = System.getenv("CLOUDSDK_ROOT_DIR");
    if (named != null) {
      roots.add(Path.of(named));
    }
    for (String folder :
        Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1)) {
      Path gcloud = Path.of(folder).resolve("gcloud");
      if (Files.isExecutable(gcloud)) {
        Path root = gcloud.toRealPath().resolve("../..").normalize();
        roots.add(root);
        roots.add(Path.of(folder).resolve("../lib/google-cloud-sdk").normalize());
      }
    }
    return roots;
  }

  private static PubSubEmulator start(Path jar, Path folder) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path log = folder.resolve("emulator.log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                jar.toString(),
                "--host=127.0.0.1",
                "--port=" + port)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      Readings.await("the emulator listens, see " + log, () -> listens(log));
    } catch (AssertionError late) {
      process.destroyForcibly();
      throw late;
    }
    return new PubSubEmulator("127.0.0.1:" + port, process);
  }

  private static boolean listens(Path log) {
    try {
      return Files.readString(log).contains("Server started, listening on");
    } catch (IOException notYet) {
      return false;
    }
  }

  String address() {
    return address;
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly();
      try {
        process.waitFor(30, TimeUnit.SECONDS);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
