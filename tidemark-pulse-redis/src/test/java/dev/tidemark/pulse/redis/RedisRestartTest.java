package dev.tidemark.pulse.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.ReplicatedMap;
import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobInfo;
import dev.tidemark.pulse.pool.PoolClient;
import dev.tidemark.pulse.pool.PoolNode;
import dev.tidemark.pulse.testkit.PoolConformance;
import dev.tidemark.pulse.testkit.RecordingHandler;
import dev.tidemark.pulse.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pools and maps whose server crashes and comes back with its log, or without anything. */
class RedisRestartTest extends PoolConformance {
  @RegisterExtension
  static final OneServer SERVER =
      new OneServer(RedisServer.Version.V7_0, "appendonly yes", "appendfsync always");

  @Override
  protected Pulse open() {
    return RedisPulse.connect(SERVER.uri());
  }

  private static void restart() {
    SERVER.server().kill();
    SERVER.server().start();
  }

  private static Map<String, String> owners(PoolClient client, Set<String> keys) {
    Map<String, String> owners = new TreeMap<>();
    keys.forEach(key -> owners.put(key, client.job(key).flatMap(JobInfo::owner).orElse("nobody")));
    return owners;
  }

  private static List<String> started(RecordingHandler... handlers) {
    return Stream.of(handlers)
        .flatMap(handler -> handler.starts().stream())
        .map(Job::key)
        .sorted()
        .toList();
  }

  @Test
  void jobsStayWithTheirOwnersAndNoneIsStartedTwice() {
    RecordingHandler first = new RecordingHandler();
    RecordingHandler second = new RecordingHandler();
    node().addWorker(first);
    node().addWorker(second);
    PoolClient client = client();
    Set<String> before = keys("before-", 10);
    dispatchAll(client, before);
    Map<String, String> owners = owners(client, before);

    restart();

    Set<String> all = new TreeSet<>(before);
    all.addAll(keys("later-", 10));
    dispatchAll(client, keys("later-", 10));
    eventuallyRun(all, first, second);
    assertThat(owners(client, before)).isEqualTo(owners).doesNotContainValue("nobody");
    assertThat(started(first, second)).isEqualTo(List.copyOf(all));
    assertThat(first.stops()).isEmpty();
    assertThat(second.stops()).isEmpty();
    assertThat(first.running()).as("both have work").isNotEmpty();
    assertThat(second.running()).as("both have work").isNotEmpty();
    assertNoMistakes(first, second);
  }

  @Test
  void jobThatWaitsForItsTimeIsRunOnceAfterTheRestart() {
    List<String> ran = new CopyOnWriteArrayList<>();
    node().addRunner(job -> ran.add(job.key()));
    PoolClient client = client();
    client.dispatch("reminder", bytes("x"), o -> o.withDelay(Duration.ofSeconds(1)));

    restart();

    eventually(() -> "it was run: " + ran, () -> client.job("reminder").isEmpty());
    client.dispatch("last", bytes("x"));
    eventually(() -> "all were run: " + ran, () -> ran.contains("last"));
    assertThat(ran).containsExactly("reminder", "last");
  }

  @Test
  void mapHasItsContentAndCopiesGoOn() {
    ReplicatedMap<String, String> map = pulse().map("m");
    map.set("a", "1");
    map.append("list", List.of("x", "y"));
    map.setAndWait("n", "41", PATIENCE);
    Map<String, String> before = map.snapshot();

    restart();

    assertThat(another().map("m").snapshot()).as("loaded anew").isEqualTo(before);
    assertThat(map.snapshot()).as("the copy that was there").isEqualTo(before);
    assertThat(another().map("m").increment("n", 1)).isEqualTo(42);
    eventually(
        () -> "the old copy hears of it: " + map.snapshot(),
        () -> map.get("n").filter("42"::equals).isPresent());
  }

  @Test
  void nodeThatWasForgottenStopsItsJobsAndJoinsAgain() {
    leaseIs(TTL);
    RecordingHandler handler = new RecordingHandler();
    PoolNode node = node();
    node.addWorker(handler);
    PoolClient client = client();
    client.dispatch("old", bytes("x"));
    String id = node.id();

    SERVER.server().command("FLUSHALL");

    client.dispatch("new", bytes("x"));
    eventuallyRun(Set.of("new"), handler);
    assertThat(client.jobKeys()).containsExactly("new");
    assertThat(node.id()).as("the node under which it joined again").isNotEqualTo(id);
    client.dispatch("old", bytes("x"));
    eventuallyRun(Set.of("new", "old"), handler);
    assertThat(handler.stops()).containsExactly("old");
    assertNoMistakes(handler);
  }
}
