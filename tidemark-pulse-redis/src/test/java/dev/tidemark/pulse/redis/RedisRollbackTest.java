package dev.tidemark.pulse.redis;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.testkit.PulseConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A server that has lost its last writes, as one that takes over from a primary can, and has got
 * others since then.
 */
class RedisRollbackTest extends PulseConformance {
  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }

  private static String command(String words) {
    return SERVER.server().command(words.split(" ", -1));
  }

  @Test
  void copyOfAMapIsRightThoughTheRevisionIsTheSame() {
    ReplicatedMap<String, String> map = pulse().map("m");
    map.setAndWait("a", "lost", PATIENCE);
    command("HSET map:m:content a kept");
    command("CLIENT KILL TYPE pubsub");

    eventually(
        () -> "the copy is " + map.snapshot(), () -> map.snapshot().equals(Map.of("a", "kept")));
  }

  @Test
  void copyOfAMapIsRightAfterTheMapHasGoneWhileItCouldNotBeRead() {
    ReplicatedMap<String, String> map = pulse().map("m");
    map.setAndWait("a", "1", PATIENCE);
    command("CONFIG RESETSTAT");
    command("SET map:m:content text");
    eventually(
        "the copy cannot be compared",
        () -> command("INFO errorstats").contains("errorstat_WRONGTYPE"));
    command("DEL map:m:content");

    eventually(() -> "the copy is " + map.snapshot(), () -> map.snapshot().isEmpty());
  }
}
