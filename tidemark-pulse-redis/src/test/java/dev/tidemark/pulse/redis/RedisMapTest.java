package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.testkit.MapConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Maps on Redis 7.0. */
class RedisMapTest extends MapConformance {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }

  @Override
  protected void forgetWhatCanBeLearnedAgain() {
    SERVER.server().command("SCRIPT", "FLUSH");
  }

  @Test
  void mapThatSomebodyElseHasFilledCanBeReadWrittenAndReset() {
    SERVER.server().command("HSET", "map:byhand:content", "feature.enabled", "true");
    try (ReplicatedMap<String, String> map = pulse().map("byhand")) {
      assertThat(map.snapshot()).isEqualTo(Map.of("feature.enabled", "true"));
      map.reset();
      eventually("it is empty", () -> map.size() == 0);
      map.set("feature.enabled", "false");
      eventually("the write is there", () -> map.get("feature.enabled").isPresent());
    }
    SERVER.server().command("DEL", "map:byhand:content");
    SERVER.server().command("HSET", "map:byhand:content", "hits", "41");
    try (ReplicatedMap<String, String> map = pulse().map("byhand")) {
      assertThat(map.increment("hits", 1)).isEqualTo(42);
    }
  }
}
