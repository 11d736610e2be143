package dev.tidemark.foundationdb.internal.cluster;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDB;
import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.NetworkOptions;
import dev.tidemark.foundationdb.FoundationDbOptions;
import dev.tidemark.foundationdb.TlsFiles;
import dev.tidemark.kv.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * FoundationDB's client library and its network, one for the process. It is started with the first
 * database and stopped by the client itself when the process exits.
 */
public final class ClientNetwork {
  /**
   * The API that this module is written for. The client has to be newer: fdb-java 7.4 is built with
   * the header of 7.4, which an older library refuses whatever version is selected.
   */
  static final int API_VERSION = 730;

  /** Where fdb-java looks for the library, if not where the system does. */
  private static final String LIBRARY_PROPERTY = "FDB_LIBRARY_PATH_FDB_C";

  private static final ReentrantLock LOCK = new ReentrantLock();

  /** What the network was started with; absent before. Guarded by LOCK. */
  private static @Nullable Settings started;

  private record Settings(Optional<Path> traceDirectory, Optional<TlsFiles> tls) {
    @Override
    public String toString() {
      return "traceDirectory=%s and tls=%s"
          .formatted(
              traceDirectory.map(Path::toString).orElse("none"),
              tls.map(TlsFiles::toString).orElse("none"));
    }
  }

  private ClientNetwork() {}

  /** Opens the cluster of {@code clusterFile}; the empty path stands for the default file. */
  public static Database open(Path clusterFile, FoundationDbOptions options) {
    boolean defaultFile = clusterFile.toString().isEmpty();
    if (!defaultFile && !Files.isReadable(clusterFile)) {
      throw UsageException.invalidOption(
          "The cluster file %s cannot be read; copy the one of a machine of the cluster there"
              .formatted(clusterFile.toAbsolutePath()));
    }
    requireLibrary();
    return connect(defaultFile ? "" : clusterFile.toAbsolutePath().toString(), options);
  }

  /** Opens a cluster with the library there; the empty text stands for the default file. */
  static Database connect(String clusterFile, FoundationDbOptions options) {
    LOCK.lock();
    try {
      FDB api = selectedApi();
      start(api, new Settings(options.traceDirectory(), options.tls()));
      return clusterFile.isEmpty() ? api.open() : api.open(clusterFile);
    } catch (FDBException error) {
      throw ClusterErrors.of(error);
    } catch (LinkageError unusable) {
      throw missingLibrary("its place by fdb-java", unusable);
    } finally {
      LOCK.unlock();
    }
  }

  /**
   * Looks for the library before fdb-java does, whose classes would be unusable for the rest of the
   * process if it failed there.
   */
  private static void requireLibrary() {
    String place = System.getProperty(LIBRARY_PROPERTY);
    try {
      if (place == null) {
        System.loadLibrary("fdb_c");
      } else {
        System.load(Path.of(place).toAbsolutePath().toString());
      }
    } catch (UnsatisfiedLinkError missing) {
      throw missingLibrary(
          place == null
              ? "java.library.path (" + System.getProperty("java.library.path") + ")"
              : place,
          missing);
    }
  }

  private static UsageException missingLibrary(String place, LinkageError cause) {
    UsageException failure =
        UsageException.invalidOperation(
            ("FoundationDB's client library libfdb_c cannot be loaded from %s: %s. Install the"
                    + " package foundationdb-clients 7.4 or later"
                    + " (https://github.com/apple/foundationdb/releases), or start Java with -D%s="
                    + "and the path of the library")
                .formatted(place, cause.getMessage(), LIBRARY_PROPERTY));
    failure.addSuppressed(cause);
    return failure;
  }

  private static FDB selectedApi() {
    if (!FDB.isAPIVersionSelected()) {
      return FDB.selectAPIVersion(API_VERSION);
    }
    FDB api = FDB.instance();
    if (api.getAPIVersion() < API_VERSION) {
      throw UsageException.invalidOperation(
          ("This process has selected FoundationDB's API version %d already; Tidemark needs %d."
                  + " Select that one, or open the Tidemark database first")
              .formatted(api.getAPIVersion(), API_VERSION));
    }
    return api;
  }

  private static void start(FDB api, Settings settings) {
    if (started == null) {
      apply(settings, api.options());
      api.startNetwork();
      started = settings;
    } else if (!started.equals(settings)) {
      throw UsageException.invalidOption(
          ("The network of this process was started with %s and cannot be given %s; use the same"
                  + " traceDirectory and tls for every database")
              .formatted(started, settings));
    }
  }

  private static void apply(Settings settings, NetworkOptions network) {
    settings
        .traceDirectory()
        .ifPresent(directory -> network.setTraceEnable(directory.toAbsolutePath().toString()));
    settings.tls().ifPresent(tls -> apply(tls, network));
  }

  private static void apply(TlsFiles tls, NetworkOptions network) {
    network.setTLSCertPath(tls.certificate().toAbsolutePath().toString());
    network.setTLSKeyPath(tls.key().toAbsolutePath().toString());
    network.setTLSCaPath(tls.authorities().toAbsolutePath().toString());
  }
}
