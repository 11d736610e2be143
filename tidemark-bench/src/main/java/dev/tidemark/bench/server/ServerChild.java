package dev.tidemark.bench.server;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.remote.DatabaseServer;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * A server in a process of its own. It prints a line with its ports when it is ready, and ends when
 * its standard input does.
 */
public final class ServerChild {
  public static final String DATABASE = "database";
  public static final String ECHO = "echo";
  static final String READY = "READY";

  private ServerChild() {}

  /** Serves the database in a directory, or echoes. */
  public static void main(String[] args) throws IOException {
    switch (args[0]) {
      case DATABASE -> serveDatabase(Path.of(args[1]));
      case ECHO -> echo();
      default -> throw new IllegalArgumentException("Nothing is called " + args[0]);
    }
  }

  private static void serveDatabase(Path directory) throws IOException {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory);
        DatabaseServer server = DatabaseServer.open(database)) {
      System.out.println(READY + " " + server.port());
      awaitEndOfInput();
    }
  }

  /** Two servers: with gRPC's default threads, and on the threads that read from the network. */
  private static void echo() throws IOException {
    Server threads = builder().build().start();
    Server direct = builder().directExecutor().build().start();
    System.out.println(READY + " " + threads.getPort() + " " + direct.getPort());
    awaitEndOfInput();
    threads.shutdownNow();
    direct.shutdownNow();
  }

  private static NettyServerBuilder builder() {
    return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .addService(Echo.service());
  }

  private static void awaitEndOfInput() throws IOException {
    System.in.transferTo(OutputStream.nullOutputStream());
  }
}
