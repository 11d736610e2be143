package dev.tidemark.pulse.redis;

import static java.util.Objects.requireNonNull;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.testkit.RedisCluster;
import dev.tidemark.pulse.testkit.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One cluster for all classes that want one, empty before each test. */
final class OneCluster implements BeforeAllCallback, BeforeEachCallback {
  private @Nullable RedisCluster cluster;

  RedisCluster cluster() {
    return requireNonNull(cluster, "it is started before the tests");
  }

  RedisOptions options() {
    return RedisOptions.ofCluster(
        cluster().nodes().stream().map(RedisServer::uri).toArray(String[]::new));
  }

  Pulse connect() {
    return options().connect();
  }

  /** Cuts the connections over which messages come, at all servers. */
  void cutChannels() {
    cluster().nodes().forEach(node -> node.command("CLIENT", "KILL", "TYPE", "pubsub"));
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    OneServer.quiet();
    cluster =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.GLOBAL)
            .computeIfAbsent(RedisCluster.class, none -> start(), RedisCluster.class);
  }

  private static RedisCluster start() {
    try {
      return RedisCluster.start(OneServer.directory());
    } catch (IOException failure) {
      throw new UncheckedIOException("There is no place for a cluster", failure);
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    cluster().flush();
  }
}
