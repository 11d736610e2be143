package dev.tidemark.chaos.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tidemark.chaos.run.Settings;
import dev.tidemark.testkit.server.EtcdServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The scripts, with all their times shortened. */
class ScriptedPartitionsTest {
  private static final Settings SHORT =
      new Settings(1, Duration.ofSeconds(24), 20261120, Duration.ofMillis(900));

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String lastLine(String script, boolean etcd) {
    boolean clean = new ScriptedPartitions(script, SHORT, etcd, out).run();
    String output = bytes.toString(StandardCharsets.UTF_8);
    assertThat(clean).as(output).isTrue();
    return output.lines().reduce("", (first, last) -> last);
  }

  private static String found(String more) {
    return "chaos partitions: rounds=13 requests=[1-9]\\d* given_up=0 lost=0 zombies=0 broken=0 "
        + more
        + " start=3 terminate=1 seed=20261120";
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void everyValueIsThereAfterSplitsMovesKillsAndRestarts() {
    assertThat(lastLine("manual", false))
        .matches(found("kill=2 migrate=[2-4] partitions=5 split=4"));
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void everyValueIsThereWhileAPolicySplitsAndMovesToo() {
    assertThat(lastLine("threshold", false))
        .matches(found("automatic_split=[1-9]\\d* kill=2 migrate=\\d+ partitions=\\d+ split=4"));
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void everyValueIsThereWithTheControlRowsInEtcd() {
    assumeTrue(EtcdServer.find().isPresent(), "there is no etcd; install etcd-server");
    assertThat(lastLine("manual", true))
        .matches(found("kill=2 migrate=[2-4] partitions=5 split=4"));
  }
}
