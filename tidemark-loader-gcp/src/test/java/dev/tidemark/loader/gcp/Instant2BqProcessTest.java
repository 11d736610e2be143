package dev.tidemark.loader.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own: how soon it pulls, and what is left when it is stopped. */
@Timeout(180)
class Instant2BqProcessTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final int MESSAGES = 500;

  @TempDir private Path folder;
  private FakePubSub pubSub;
  private FakeBigQuery bigQuery;

  @BeforeEach
  void open() throws IOException, SQLException {
    pubSub = new FakePubSub();
    bigQuery = new FakeBigQuery();
    bigQuery.administer(
        Instant2Bq.ddl(FakeBigQuery.PROJECT + "." + FakeBigQuery.DATASET, "instant_data"));
    for (int i = 0; i < MESSAGES; i++) {
      pubSub.publish("m" + i, NOON, Readings.attributes("p", "" + i, "" + (800_000_000 + i)));
    }
  }

  @AfterEach
  void close() throws SQLException {
    pubSub.close();
    bigQuery.close();
  }

  private Process start(String... options) throws IOException {
    return start(Readings.environment(pubSub.address(), bigQuery), options);
  }

  private Process start(Map<String, String> environment, String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path", "")),
                Instant2BqCommand.class.getName()));
    command.addAll(List.of(options));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile());
    builder.environment().putAll(environment);
    // The first answer to a process that has just begun takes long on a busy machine.
    builder.environment().put("IDLE_SECONDS", "10");
    return builder.start();
  }

  private void await(Process process) throws InterruptedException {
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the process ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void coldProcessLoadsAndSaysSo() throws IOException, InterruptedException, SQLException {
    long begin = System.nanoTime();
    Process process = start("--location", FakeBigQuery.LOCATION);
    await(process);

    assertThat(process.exitValue()).isZero();
    assertThat(Files.readString(folder.resolve("out")))
        .contains("\"status\":\"done\"", "\"merged\":" + MESSAGES);
    assertThat(bigQuery.query("SELECT count(*) FROM instant_data"))
        .containsExactly(List.of("" + MESSAGES));
    Duration cold = Duration.ofNanos(pubSub.firstPullNanos() - begin);
    System.out.println("cold start to first pull: " + cold.toMillis() + " ms");
  }

  @Test
  void processWithoutCredentialsSaysWhereTheyComeFrom() throws IOException, InterruptedException {
    Map<String, String> environment = Readings.environment(pubSub.address(), bigQuery);
    environment.remove("BIGQUERY_EMULATOR_HOST");
    // Whatever is installed and logged in here, the process finds nothing of it.
    environment.put("CLOUDSDK_CONFIG", folder.toString());
    environment.put("GOOGLE_APPLICATION_CREDENTIALS", "");
    environment.put("NO_GCE_CHECK", "true");
    Process process = start(environment);
    await(process);

    assertThat(process.exitValue()).isOne();
    assertThat(Files.readString(folder.resolve("out")))
        .contains(
            "\"status\":\"failed\"",
            "There are no credentials for BigQuery in project " + FakePubSub.PROJECT,
            "gcloud auth application-default login");
  }

  @Test
  void processThatIsToldToStopGivesEverythingBack() throws IOException, InterruptedException {
    bigQuery.failInserts(new FakeBigQuery.Fault.Slow(1_000_000));
    Process process = start();
    Readings.await("a merge runs", () -> bigQuery.inserts() > 0);

    process.destroy();
    await(process);

    // The fake stores a job's rows when it takes it; what matters is that nothing stays leased.
    assertThat(pubSub.leased()).isZero();
    assertThat(pubSub.acked()).isEmpty();
    assertThat(pubSub.backlog()).isEqualTo(MESSAGES);
    assertThat(Files.readString(folder.resolve("err"))).doesNotContain("Exception");
    assertThat(Files.readString(folder.resolve("out")))
        .contains("\"merged\":0", "the loader was stopped");
    assertThat(process.exitValue()).isZero();
  }
}
