package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.ReplicatedMap.Swap;
import dev.tidemark.pulse.testkit.PulseConformance;
import dev.tidemark.pulse.testkit.RedisServer;
import dev.tidemark.testkit.faults.CuttingProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Maps whose connections are cut, whose answers get lost and whose messages never come. */
class RedisMapOutageTest extends PulseConformance {
  private static final String CONTENT = "map:m:content";

  @RegisterExtension static final OneServer SERVER = new OneServer(RedisServer.Version.V7_0);

  private final CuttingProxy proxy = CuttingProxy.open();

  @BeforeEach
  void behindTheProxy() {
    proxy.target(SERVER.server().port());
  }

  @AfterEach
  void closeProxy() {
    proxy.close();
  }

  @Override
  protected Pulse open() {
    return RedisOptions.at("redis://127.0.0.1:" + proxy.port())
        .withCommandTimeout(Duration.ofMillis(500))
        .connect();
  }

  private static void eventuallyHas(
      ReplicatedMap<String, String> map, Map<String, String> expected) {
    eventually(
        () -> "the copy is " + map.snapshot() + ", expected " + expected,
        () -> map.snapshot().equals(expected));
  }

  private static String revision() {
    return SERVER.server().command("HGET", CONTENT, "=rev");
  }

  @Test
  void setIfAbsentWhoseAnswerWasLostIsTrueForTheOneWhoSetIt() {
    ReplicatedMap<String, String> map = pulse().map("m");
    proxy.loseReply("setIfAbsent", "");

    assertThat(map.setIfAbsent("leader", "me")).isTrue();

    assertThat(proxy.hasLostReply()).isTrue();
    assertThat(revision()).as("one write").isEqualTo("$1");
    assertThat(map.setIfAbsent("leader", "me")).as("said a second time").isFalse();
    eventuallyHas(map, Map.of("leader", "me"));
  }

  @Test
  void testAndSetWhoseAnswerWasLostSaysThatItWasDone() {
    ReplicatedMap<String, String> map = pulse().map("m");
    map.set("version", "v1");
    proxy.loseReply("testAndSet", "");

    assertThat(map.testAndSet("version", "v1", "v2"))
        .isEqualTo(new Swap<>(Optional.of("v1"), true));

    assertThat(proxy.hasLostReply()).isTrue();
    assertThat(revision()).as("two writes").isEqualTo("$2");
    eventuallyHas(map, Map.of("version", "v2"));
  }

  @Test
  void deleteWhoseAnswerWasLostSaysWhatThereWas() {
    ReplicatedMap<String, String> map = pulse().map("m");
    map.set("goes", "1");
    proxy.loseReply("delete", "");

    assertThat(map.delete("goes")).contains("1");

    assertThat(proxy.hasLostReply()).isTrue();
    eventuallyHas(map, Map.of());
  }

  @Test
  void writeThatNobodyPublishedReachesTheCopy() {
    ReplicatedMap<String, String> map = pulse().map("m");
    map.setAndWait("a", "1", PATIENCE);
    SERVER.server().command("HSET", CONTENT, "b", "2");
    SERVER.server().command("HINCRBY", CONTENT, "=rev", "1");

    eventuallyHas(map, Map.of("a", "1", "b", "2"));
  }

  @Test
  void messageBehindAGapBringsWhatWasMissed() {
    ReplicatedMap<String, String> map = pulse().map("m");
    map.setAndWait("a", "1", PATIENCE);
    SERVER.server().command("HSET", CONTENT, "b", "2");
    SERVER.server().command("HINCRBY", CONTENT, "=rev", "1");
    map.setAndWait("c", "3", PATIENCE);

    assertThat(map.snapshot()).isEqualTo(Map.of("a", "1", "b", "2", "c", "3"));
  }

  @Test
  void countersAreExactThroughManyCuts() throws InterruptedException {
    ReplicatedMap<String, String> map = pulse().map("counters");
    Cuts.during(proxy, () -> IntStream.range(0, 200).forEach(i -> map.increment("n", 1)));

    eventuallyHas(map, Map.of("n", "200"));
  }

  @Test
  void copyOfAMapIsRightAgainAfterItsConnectionWasKilled() {
    ReplicatedMap<String, String> map = pulse().map("m");
    map.setAndWait("a", "1", PATIENCE);
    SERVER.server().command("CLIENT", "KILL", "TYPE", "pubsub");
    SERVER.server().command("CLIENT", "KILL", "TYPE", "normal");
    map.set("b", "2");

    eventually("both are there", () -> map.snapshot().equals(Map.of("a", "1", "b", "2")));
  }

  @Test
  void malformedMessagesAreIgnored() {
    ReplicatedMap<String, String> map = pulse().map("m");
    map.setAndWait("a", "1", PATIENCE);
    for (String message : List.of("nonsense", "set:", "set:\1\0\0\0k\7", "del:\377\377\377\377")) {
      SERVER.server().command("PUBLISH", "map:m:updates", message);
    }
    map.setAndWait("b", "2", PATIENCE);

    assertThat(map.snapshot()).isEqualTo(Map.of("a", "1", "b", "2"));
  }

  @Test
  void mapThatWasFlushedIsSeenAtOnce() {
    ReplicatedMap<String, String> map = pulse().map("m");
    IntStream.range(0, 20).forEach(i -> map.set("key-" + i, "x"));
    map.setAndWait("last", "x", PATIENCE);
    SERVER.server().command("FLUSHALL");
    map.setAndWait("new", "1", PATIENCE);

    assertThat(map.snapshot()).isEqualTo(Map.of("new", "1"));
  }
}
