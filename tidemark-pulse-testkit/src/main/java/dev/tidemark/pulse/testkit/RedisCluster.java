package dev.tidemark.pulse.testkit;

import dev.tidemark.kv.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A real Redis Cluster of three servers 7.0 on the loopback address, without replicas. */
public final class RedisCluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int SLOTS = 16_384;
  private static final int SIZE = 3;

  private final List<RedisServer> nodes = new ArrayList<>();
  private final Path directory;

  private RedisCluster(Path directory) {
    this.directory = directory;
  }

  /** Starts the servers below {@code directory} and waits until all slots are served. */
  public static RedisCluster start(Path directory) {
    RedisCluster cluster = new RedisCluster(directory);
    try {
      for (int i = 0; i < SIZE; i++) {
        cluster.addNode(directory.resolve("node-" + i), i);
      }
      cluster.awaitHealthy();
      return cluster;
    } catch (IOException failure) {
      cluster.close();
      throw new UncheckedIOException("No cluster can be made", failure);
    } catch (RuntimeException failure) {
      cluster.close();
      throw failure;
    }
  }

  private void addNode(Path directory, int number) throws IOException {
    int busPort = RedisServer.freePort();
    RedisServer node =
        RedisServer.start(
            directory,
            RedisServer.Version.V7_0,
            "cluster-enabled yes",
            "cluster-port " + busPort,
            "cluster-node-timeout 5000");
    nodes.add(node);
    int from = SLOTS * number / SIZE;
    int to = SLOTS * (number + 1) / SIZE - 1;
    expectOk(node.command("CLUSTER", "ADDSLOTSRANGE", "" + from, "" + to));
    for (RedisServer other : nodes.subList(0, number)) {
      expectOk(other.command("CLUSTER", "MEET", "127.0.0.1", "" + node.port(), "" + busPort));
    }
  }

  private static void expectOk(String answer) {
    if (!answer.equals("+OK")) {
      throw new IllegalStateException("The redis-server answers " + answer);
    }
  }

  private void awaitHealthy() {
    TimeSource time = TimeSource.system();
    long deadline = time.nanos() + PATIENCE.toNanos();
    while (!nodes.stream().allMatch(RedisCluster::seesAll)) {
      if (time.nanos() > deadline) {
        throw new IllegalStateException(
            "The cluster is not healthy: " + nodes.getFirst().command("CLUSTER", "NODES"));
      }
      RedisServer.pause(time);
    }
  }

  private static boolean seesAll(RedisServer node) {
    String info = node.command("CLUSTER", "INFO");
    return info.contains("cluster_state:ok")
        && info.contains("cluster_slots_ok:" + SLOTS)
        && info.contains("cluster_known_nodes:" + SIZE);
  }

  /** The servers. */
  public List<RedisServer> nodes() {
    return List.copyOf(nodes);
  }

  /** Removes all keys of all servers. */
  public void flush() {
    nodes.forEach(node -> expectOk(node.command("FLUSHALL")));
  }

  /** Ends the servers and removes the directory. */
  @Override
  public void close() {
    nodes.forEach(RedisServer::close);
    try {
      Files.deleteIfExists(directory);
    } catch (IOException failure) {
      throw new UncheckedIOException("The directory " + directory + " stays", failure);
    }
  }
}
