package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import dev.tidemark.pulse.testkit.PoolConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a node is told of its jobs. */
class RedisPoolHintTest extends PoolConformance {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }

  @Test
  void jobRunsOnceWhetherItsNodeIsToldOfItOrFindsIt() throws InterruptedException {
    PoolNode node = node();
    Map<String, Integer> runs = new ConcurrentHashMap<>();
    node.addRunner(job -> runs.merge(job.key(), 1, Integer::sum), 4);
    AtomicBoolean done = new AtomicBoolean();
    Thread searching = Thread.ofVirtual().start(() -> searchUntil(done, node));
    List<Thread> dispatchers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String prefix = i + "-";
      dispatchers.add(Thread.ofVirtual().start(() -> dispatchAll(node, keys(prefix, 50))));
    }
    for (Thread dispatcher : dispatchers) {
      dispatcher.join();
    }
    eventually("all are done", () -> node.jobKeys().isEmpty());
    done.set(true);
    searching.join();

    assertThat(runs).hasSize(400);
    assertThat(runs).allSatisfy((key, times) -> assertThat(times).as(key).isOne());
    assertThat(errors()).isEmpty();
  }

  /** Has the node search for jobs all the time. */
  private static void searchUntil(AtomicBoolean done, PoolNode node) {
    while (!done.get()) {
      SERVER.server().command("PUBLISH", RedisNames.pool(POOL) + "wake:node:" + node.id(), "");
    }
  }
}
