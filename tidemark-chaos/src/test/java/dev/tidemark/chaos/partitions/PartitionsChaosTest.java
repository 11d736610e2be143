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

class PartitionsChaosTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  // Nine rounds do every deed once.
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void nineRoundsLoseNothingAndMeetNoZombie() {
    boolean clean =
        new PartitionsChaos(
                new Settings(9, Settings.UNLIMITED, 20261118, Duration.ofMillis(900)), false, out)
            .run();

    String output = bytes.toString(StandardCharsets.UTF_8);
    assertThat(clean).as(output).isTrue();
    assertThat(output.lines().reduce("", (first, last) -> last))
        .matches(
            "chaos partitions: rounds=9 requests=[1-9]\\d* given_up=0 lost=0 zombies=0 broken=0.*"
                + " cut=1.* kill=1.* pause=1.*");
  }

  // Ten rounds do every deed once, the end of etcd too.
  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void tenRoundsWithEtcdLoseNothingAndMeetNoZombie() {
    assumeTrue(EtcdServer.find().isPresent(), "there is no etcd; install etcd-server");
    boolean clean =
        new PartitionsChaos(
                new Settings(10, Settings.UNLIMITED, 20261119, Duration.ofMillis(900)), true, out)
            .run();

    String output = bytes.toString(StandardCharsets.UTF_8);
    assertThat(clean).as(output).isTrue();
    assertThat(output.lines().reduce("", (first, last) -> last))
        .matches(
            "chaos partitions: rounds=10 requests=[1-9]\\d* given_up=0 lost=0 zombies=0 broken=0.*"
                + " cut=1.* kill=1 kill_etcd=1.* pause=1.*");
  }
}
