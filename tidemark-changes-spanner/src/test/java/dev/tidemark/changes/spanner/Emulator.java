package dev.tidemark.changes.spanner;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.DatabaseAdminClient;
import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.ErrorCode;
import com.google.cloud.spanner.InstanceConfigId;
import com.google.cloud.spanner.InstanceId;
import com.google.cloud.spanner.InstanceInfo;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.SpannerOptions;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Google's emulator of Spanner: the one that {@code SPANNER_EMULATOR_HOST} names, or one of our own
 * on a free port, with partitions that live for a second or two.
 */
public final class Emulator implements AutoCloseable {
  private static final String BINARY = "bin/cloud_spanner_emulator/emulator_main";
  private static final String PROJECT = "project";
  private static final String INSTANCE = "instance";

  private final Optional<Process> process;
  public final String address;
  private final Spanner spanner;

  private Emulator(Optional<Process> process, String address) throws Exception {
    this.process = process;
    this.address = address;
    this.spanner = client();
    try {
      createInstance();
    } catch (Exception | Error failure) {
      spanner.close();
      throw failure;
    }
  }

  /** A client with a session of its own; the emulator runs one transaction at a time in each. */
  Spanner client() {
    return SpannerOptions.newBuilder()
        .setProjectId(PROJECT)
        .setEmulatorHost(address)
        .setCredentials(NoCredentials.getInstance())
        .setBuiltInMetricsEnabled(false)
        .setNumChannels(1)
        .build()
        .getService();
  }

  private void createInstance() throws Exception {
    try {
      spanner
          .getInstanceAdminClient()
          .createInstance(
              InstanceInfo.newBuilder(InstanceId.of(PROJECT, INSTANCE))
                  .setInstanceConfigId(InstanceConfigId.of(PROJECT, "emulator-config"))
                  .setDisplayName(INSTANCE)
                  .setNodeCount(1)
                  .build())
          .get(60, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      boolean there =
          failure.getCause() instanceof SpannerException known
              && known.getErrorCode() == ErrorCode.ALREADY_EXISTS;
      if (!there) {
        throw failure;
      }
    }
  }

  /** Starts one; empty, with a line that says so, where it is not installed. */
  public static Optional<Emulator> start() throws Exception {
    Optional<String> running = environment("SPANNER_EMULATOR_HOST").findFirst();
    if (running.isPresent()) {
      return Optional.of(new Emulator(Optional.empty(), running.get()));
    }
    Optional<Path> binary = find();
    if (binary.isEmpty()) {
      System.out.println("Spanner emulator: not installed, its tests are skipped");
      return Optional.empty();
    }
    String address = "127.0.0.1:" + freePort();
    Process process =
        new ProcessBuilder(
                binary.get().toString(),
                "--host_port=" + address,
                "--override_change_stream_partition_token_alive_seconds=1")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      awaitPort(process, address);
      return Optional.of(new Emulator(Optional.of(process), address));
    } catch (Exception | Error failure) {
      process.destroyForcibly();
      throw failure;
    }
  }

  private static void awaitPort(Process process, String address) throws InterruptedException {
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!accepts(port)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException("The emulator does not answer at " + address);
      }
      Thread.sleep(20);
    }
  }

  private static boolean accepts(int port) {
    try (Socket connected = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return connected.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private static Optional<Path> find() {
    return Stream.of(
            environment("CLOUDSDK_ROOT_DIR").map(Path::of),
            environment("GOOGLE_CLOUD_SDK").map(Path::of),
            rootsOnPath(),
            Stream.of(Path.of("/usr/lib/google-cloud-sdk")))
        .flatMap(roots -> roots)
        .map(root -> root.resolve(BINARY))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The directories above those of the {@code gcloud}s on the path. */
  private static Stream<Path> rootsOnPath() {
    return environment("PATH")
        .flatMap(path -> Stream.of(path.split(File.pathSeparator, -1)))
        .filter(each -> !each.isEmpty())
        .map(each -> Path.of(each, "gcloud"))
        .filter(Files::isExecutable)
        .flatMap(Emulator::root);
  }

  private static Stream<Path> root(Path gcloud) {
    try {
      Path bin = gcloud.toRealPath().getParent();
      return bin == null ? Stream.empty() : Stream.ofNullable(bin.getParent());
    } catch (IOException unreadable) {
      return Stream.empty();
    }
  }

  private static Stream<String> environment(String name) {
    return Stream.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
  }

  /** Makes a database with a name of its own, and returns that. */
  public String database(Dialect dialect, List<String> ddl) throws Exception {
    String id = "t" + UUID.randomUUID().toString().replace("-", "").substring(0, 20);
    DatabaseAdminClient admin = spanner.getDatabaseAdminClient();
    DatabaseId name = DatabaseId.of(PROJECT, INSTANCE, id);
    admin
        .createDatabase(admin.newDatabaseBuilder(name).setDialect(dialect).build(), List.of())
        .get(60, TimeUnit.SECONDS);
    if (!ddl.isEmpty()) {
      admin.updateDatabaseDdl(INSTANCE, id, ddl, null).get(60, TimeUnit.SECONDS);
    }
    return name.getName();
  }

  @Override
  public void close() {
    spanner.close();
    process.ifPresent(Process::destroyForcibly);
  }
}
