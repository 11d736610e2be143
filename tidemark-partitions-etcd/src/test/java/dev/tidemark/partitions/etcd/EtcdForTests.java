package dev.tidemark.partitions.etcd;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.kv.spi.FileTrees;
import dev.tidemark.testkit.server.EtcdServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/** An etcd for the tests of one class; they are skipped where there is none. */
public final class EtcdForTests implements AutoCloseable {
  private static final AtomicInteger PLACES = new AtomicInteger();

  private final Path directory;
  private final EtcdServer server;

  private EtcdForTests(Path directory, EtcdServer server) {
    this.directory = directory;
    this.server = server;
  }

  public static EtcdForTests start() {
    Assumptions.assumeTrue(
        EtcdServer.find().isPresent(), "There is no etcd on the path; install etcd-server");
    try {
      Path directory = Files.createTempDirectory("tidemark-etcd");
      return new EtcdForTests(directory, EtcdServer.start(directory));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  public EtcdServer server() {
    return server;
  }

  /** Options for a place that no other test has. */
  public EtcdOptions place() {
    return EtcdOptions.at(server.endpoint())
        .withPrefix("/test-%d/".formatted(PLACES.incrementAndGet()));
  }

  public RowStore rows() {
    return EtcdRows.connect(place());
  }

  @Override
  public void close() {
    server.close();
    try {
      FileTrees.remove(directory);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
