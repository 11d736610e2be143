package dev.tidemark.pulse.testkit;

import dev.tidemark.kv.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Two real servers 7.0 on the loopback address, a primary and its replica, and three Sentinels that
 * make the replica the primary when two of them miss the other one for a second.
 */
public final class RedisSentinels implements AutoCloseable {
  /** The name under which the Sentinels know the primary. */
  public static final String NAME = "main";

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int SIZE = 3;

  private final Path directory;
  private final List<RedisServer> servers = new ArrayList<>();
  private final List<RedisServer> sentinels = new ArrayList<>();

  private RedisSentinels(Path directory) {
    this.directory = directory;
  }

  /** Starts all below {@code directory} and waits until the Sentinels know each other. */
  public static RedisSentinels start(Path directory) {
    RedisSentinels all = new RedisSentinels(directory);
    try {
      all.startAll();
      return all;
    } catch (RuntimeException failure) {
      all.close();
      throw failure;
    }
  }

  private void startAll() {
    RedisServer first = startServer("first");
    startServer("second", "replicaof 127.0.0.1 " + first.port());
    for (int i = 0; i < SIZE; i++) {
      sentinels.add(
          RedisServer.startSentinel(
              directory.resolve("sentinel-" + i),
              RedisServer.Version.V7_0,
              "sentinel monitor %s 127.0.0.1 %d 2".formatted(NAME, first.port()),
              "sentinel down-after-milliseconds %s 1000".formatted(NAME),
              "sentinel failover-timeout %s 2000".formatted(NAME)));
    }
    await("all Sentinels see all", () -> sentinels.stream().allMatch(RedisSentinels::seesAll));
    await("the replica has caught up", this::isReplicated);
  }

  private RedisServer startServer(String name, String... settings) {
    List<String> lines = new ArrayList<>(List.of(settings));
    lines.add("repl-diskless-sync-delay 0");
    RedisServer server =
        RedisServer.start(
            directory.resolve(name), RedisServer.Version.V7_0, lines.toArray(String[]::new));
    servers.add(server);
    return server;
  }

  private static boolean seesAll(RedisServer sentinel) {
    String seen = sentinel.command("SENTINEL", "MASTER", NAME);
    return seen.contains("$num-slaves, $1") && seen.contains("$num-other-sentinels, $2");
  }

  /** Whether the replica has all that the primary has said until now. */
  public boolean isReplicated() {
    RedisServer primary = primary();
    return servers.stream()
        .filter(server -> server != primary && server.process().isPresent())
        .allMatch(replica -> isLinked(replica) && offset(replica) >= offset(primary));
  }

  private static boolean isLinked(RedisServer replica) {
    return replica.command("INFO", "replication").contains("master_link_status:up");
  }

  private static long offset(RedisServer server) {
    String info = server.command("INFO", "replication");
    int start = info.indexOf("master_repl_offset:") + "master_repl_offset:".length();
    return Long.parseLong(info.substring(start, info.indexOf('\r', start)));
  }

  /** The server that the Sentinels name as the primary. */
  public RedisServer primary() {
    String answer = sentinels.getFirst().command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME);
    return servers.stream()
        .filter(server -> answer.contains("$" + server.port()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("The Sentinel names " + answer));
  }

  /** Waits until the primary is another one than {@code old} and takes writes. */
  public void awaitPrimaryAfter(RedisServer old) {
    await(
        "another server is the primary",
        () -> primary() != old && primary().command("INFO", "replication").contains("role:master"));
  }

  /** Starts the servers again that were killed, and waits until there is a replica. */
  public void repair() {
    servers.stream().filter(server -> server.process().isEmpty()).forEach(RedisServer::start);
    await("there is a replica", this::isReplicated);
  }

  /**
   * Has the Sentinels swap primary and replica while both run. A Sentinel looks at the replica only
   * now and then, so it is asked until it knows that the replica is fit and no other swap goes on.
   */
  public void failOver() {
    await(
        "a Sentinel begins to swap",
        () -> {
          String answer = sentinels.getFirst().command("SENTINEL", "FAILOVER", NAME);
          if (answer.startsWith("-NOGOODSLAVE") || answer.startsWith("-INPROG")) {
            return false;
          }
          if (!answer.equals("+OK")) {
            throw new IllegalStateException("The Sentinel answers " + answer);
          }
          return true;
        });
  }

  /** The address of the Sentinels: {@code redis-sentinel://host:port,host:port,host:port#main}. */
  public String uri() {
    return sentinels.stream()
        .map(sentinel -> "127.0.0.1:" + sentinel.port())
        .collect(Collectors.joining(",", "redis-sentinel://", "#" + NAME));
  }

  private interface Condition {
    boolean holds();
  }

  private void await(String what, Condition condition) {
    TimeSource time = TimeSource.system();
    long deadline = time.nanos() + PATIENCE.toNanos();
    while (!condition.holds()) {
      if (time.nanos() > deadline) {
        throw new IllegalStateException(
            "Not within %s: %s. A Sentinel says: %s"
                .formatted(PATIENCE, what, sentinels.getFirst().log()));
      }
      RedisServer.pause(time);
    }
  }

  /** Ends all servers and removes the directory. */
  @Override
  public void close() {
    sentinels.forEach(RedisServer::close);
    servers.forEach(RedisServer::close);
    try {
      Files.deleteIfExists(directory);
    } catch (IOException failure) {
      throw new UncheckedIOException("The directory " + directory + " stays", failure);
    }
  }
}
