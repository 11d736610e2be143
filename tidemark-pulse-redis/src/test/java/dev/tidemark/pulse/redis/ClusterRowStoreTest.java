package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.Rows;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.pulse.redis.internal.RedisBackend;
import dev.tidemark.pulse.redis.internal.link.RedisNames;
import dev.tidemark.pulse.redis.internal.stream.StreamKeys;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock("cluster")
class ClusterRowStoreTest {
  @RegisterExtension static final OneCluster CLUSTER = new OneCluster();

  @Test
  void poolsOnAllServersKeepRowsAndWakeEachOther() throws InterruptedException {
    try (RedisBackend one = RedisBackend.connect(CLUSTER.options(), TimeSource.system());
        RedisBackend two = RedisBackend.connect(CLUSTER.options(), TimeSource.system())) {
      for (int i = 0; i < 12; i++) {
        RowStore here = one.pool("pool-" + i);
        RowStore there = two.pool("pool-" + i);
        BlockingQueue<String> hints = new LinkedBlockingQueue<>();
        try (RowStore.Listening listening =
            there.onWake("n", hint -> hints.add(RedisNames.text(hint)))) {
          assertThat(hints.poll(10, TimeUnit.SECONDS)).isEmpty();
          here.transact(
              rows -> {
                rows.set(Tuple.of("jobs", "a"), RedisNames.bytes("1"));
                rows.wake("n", RedisNames.bytes("a"));
                return 0;
              });

          assertThat(hints.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
          List<Rows.Row> found = there.read(rows -> rows.scan(Tuple.of("jobs"), 10));
          assertThat(found).hasSize(1);
          assertThat(listening).isNotNull();
        }
      }
    }
  }

  @Test
  void keysOfAStreamLieBesideIt() {
    for (String name : new String[] {"plain", "with{tag}inside", "open{brace"}) {
      StreamKeys keys = StreamKeys.of(name);

      assertThat(keys.all())
          .extracting(
              key -> CLUSTER.cluster().nodes().getFirst().command("CLUSTER", "KEYSLOT", key))
          .containsOnly(
              CLUSTER.cluster().nodes().getFirst().command("CLUSTER", "KEYSLOT", keys.events()));
    }
  }
}
