package dev.tidemark.node.internal.command.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.loader.DuckDbWarehouse;
import dev.tidemark.node.Call;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo with meters, through the command. */
class DemoCommandTest {
  private static final Pattern READINGS =
      Pattern.compile(
          "demo: readings=(\\d+) records=\\1 changes=\\1 warehouse=\\1 lost=0 duplicated=0");
  private static final int PATIENCE_MINUTES = 5;

  private record Outcome(int exitCode, String text) {}

  @TempDir private Path directory;

  @Test
  void numbersAgreeAfterAWorkerIsKilledAndASecondRunWithFewerMetersGoesOn() {
    Outcome first = demo("--seconds", "4", "--meters", "30", "--rate", "400", "--data", data());
    assertThat(first.exitCode()).as(first.text()).isZero();
    assertThat(first.text())
        .contains("is killed", "from 1,800 W to 1,600 W", "lost=0 duplicated=0")
        .doesNotContain("FAIL");

    Outcome second = demo("--seconds", "2", "--meters", "10", "--rate", "400", "--data", data());
    assertThat(second.exitCode()).as(second.text()).isZero();
    assertThat(second.text()).contains("from an earlier run", "from 1,600 W to 1,800 W");
    assertThat(readings(second)).isGreaterThan(readings(first)).isPositive();
  }

  @Test
  void aScriptIsToldWhatHappensAndWhatTheAuditFound() {
    Outcome run = demo("--seconds", "2", "--meters", "20", "--rate", "400", "--json");
    assertThat(run.exitCode()).as(run.text()).isZero();
    List<String> events = run.text().lines().toList();
    assertThat(events).allMatch(line -> line.startsWith("{\"event\":\"") && line.endsWith("}"));
    assertThat(events.getFirst()).startsWith("{\"event\":\"opened\",\"seconds\":2,\"meters\":20,");
    assertThat(events.get(1)).startsWith("{\"event\":\"started\",\"worker_pid\":");
    assertThat(run.text())
        .contains("{\"event\":\"progress\",\"at_seconds\":", "\"what\":\"worker process ");
    assertThat(events.getLast())
        .startsWith("{\"event\":\"audit\",\"holds\":true,\"readings\":")
        .contains("\"lost\":0,\"duplicated\":0,\"checks\":[{\"check\":\"every published reading")
        .contains("{\"area\":\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1500", "no number"})
  void thresholdThatSomebodyHasSetHolds(String threshold) {
    Outcome first = demo("--seconds", "1", "--meters", "10", "--rate", "200", "--data", data());
    assertThat(first.exitCode()).as(first.text()).isZero();
    assertThat(first.text()).contains("./tidemark map set tidemark://127.0.0.1:");
    Call call = new Call();
    String store = directory.resolve("store").toString();
    assertThat(call.run("map", "set", store, "settings", "alert.threshold", threshold)).isZero();

    Outcome second = demo("--seconds", "1", "--meters", "10", "--rate", "200", "--data", data());
    assertThat(second.exitCode()).as(second.text()).isZero();
    assertThat(second.text())
        .contains(threshold.equals("1500") ? "above 1,500 W" : "above 1,800 W");
  }

  @Test
  void aWarehouseThatIsGoneIsFilledAnew() throws Exception {
    Outcome first = demo("--seconds", "1", "--meters", "30", "--rate", "400", "--data", data());
    assertThat(first.exitCode()).as(first.text()).isZero();
    Files.delete(directory.resolve("warehouse.duckdb"));

    Outcome second = demo("--seconds", "1", "--meters", "30", "--rate", "400", "--data", data());
    assertThat(second.exitCode()).as(second.text()).isZero();
    assertThat(readings(second)).isGreaterThan(readings(first));
  }

  @Test
  void theAuditFindsARowThatTheWarehouseHasWrong() throws Exception {
    Outcome first = demo("--seconds", "1", "--meters", "30", "--rate", "400", "--data", data());
    assertThat(first.exitCode()).as(first.text()).isZero();
    changeOneRow();

    Outcome second = demo("--seconds", "1", "--meters", "30", "--rate", "400", "--data", data());
    assertThat(second.exitCode()).isEqualTo(1);
    assertThat(second.text())
        .contains("FAIL  every change is one row of the warehouse", "ok    every published");
  }

  private void changeOneRow() throws Exception {
    try (Connection connection =
            DriverManager.getConnection("jdbc:duckdb:" + directory.resolve("warehouse.duckdb"));
        Statement statement = connection.createStatement()) {
      statement.execute(
          "UPDATE readings SET power = power + 1 WHERE meter = 3 AND timestamp = (SELECT min(timestamp) FROM readings WHERE meter = 3)");
    }
  }

  @Test
  void aPortThatIsTakenIsSaid() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Outcome refused =
          demo("--seconds", "1", "--console-port", Integer.toString(other.getLocalPort()));
      assertThat(refused.exitCode()).as(refused.text()).isEqualTo(1);
      assertThat(refused.text())
          .contains("tidemark: The console cannot listen on port", "--console-port takes another");
    }
  }

  @Test
  void aStoreInUseIsSaid() throws Exception {
    try (EmbeddedDatabase other = EmbeddedDatabase.open(directory.resolve("store"))) {
      assertThat(other.statistics().commits()).isNotNegative();
      refusedWith("are in use by another process; wait for its end");
    }
  }

  @Test
  void dataOfAnotherVersionAreLeftAlone() throws Exception {
    try (EmbeddedDatabase other = EmbeddedDatabase.open(directory.resolve("store"))) {
      other.run(tx -> tx.set(Subspace.of("demo", "version").pack(), Tuple.of(7).pack()));
    }
    refusedWith("are of version 7 of the demo, and this one reads version 2");
  }

  @Test
  void dataOfTheFirstVersionAreLeftAlone() throws Exception {
    try (EmbeddedDatabase other = EmbeddedDatabase.open(directory.resolve("store"))) {
      other.run(tx -> tx.set(Subspace.of("demo", "published").pack(1), Tuple.of(7).pack()));
    }
    refusedWith("are of version 1 of the demo");
  }

  @Test
  void aWarehouseThatIsNoneIsSaid() throws Exception {
    Files.writeString(directory.resolve("warehouse.duckdb"), "no warehouse".repeat(1_000));
    refusedWith("warehouse.duckdb");
  }

  @Test
  void aWarehouseInUseByAnotherProcessIsSaid() throws Exception {
    Path ready = directory.resolve("ready");
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                WarehouseHolder.class.getName(),
                directory.resolve("warehouse.duckdb").toString())
            .redirectError(ready.toFile())
            .start();
    try (BufferedReader lines = holder.inputReader()) {
      assertThat(lines.readLine()).as(Files.readString(ready)).isNotNull();
      refusedWith("warehouse.duckdb");
    } finally {
      holder.destroyForcibly();
      assertThat(holder.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
    }
  }

  /** Has a warehouse open until its standard input ends. */
  static final class WarehouseHolder {
    private WarehouseHolder() {}

    public static void main(String[] args) throws IOException {
      try (DuckDbWarehouse warehouse = DuckDbWarehouse.open(Path.of(args[0]))) {
        System.out.println(warehouse.settle(UUID.randomUUID()));
        System.in.transferTo(PrintStream.nullOutputStream());
      }
    }
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsSaid() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    Outcome refused = demo("--seconds", "1", "--data", file.toString());
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.text()).contains("tidemark: The directory", "cannot be created");
  }

  private void refusedWith(String message) throws Exception {
    Outcome refused = demo("--seconds", "1", "--data", data());
    assertThat(refused.exitCode()).as(refused.text()).isEqualTo(1);
    assertThat(refused.text()).contains("tidemark: ", message).doesNotContain("\tat ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--fast | demo has no option '--fast'",
        "--seconds | Missing required parameter for option '--seconds' (N)",
        "--seconds,0 | --seconds takes a whole number from 1 to 86,400, not 0",
        "--meters,many | '--meters': 'many' is not an int",
        "--console-port,70000 | --console-port takes a port from 0 to 65535, not 70000",
        "--rate,-1 | --rate takes a whole number from 1 to 1,000,000, not -1",
      })
  void wrongArgumentIsNamed(String arguments, String message) {
    Outcome refused = demo(arguments.split(",", -1));

    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.text()).contains(message, "Usage: tidemark demo");
  }

  private String data() {
    return directory.toString();
  }

  private static Outcome demo(String... options) {
    String[] arguments = new String[options.length + 1];
    arguments[0] = "demo";
    System.arraycopy(options, 0, arguments, 1, options.length);
    Call call = new Call();
    int exitCode = call.run(arguments);
    return new Outcome(exitCode, call.out() + call.err());
  }

  private static long readings(Outcome printed) {
    Matcher found = READINGS.matcher(printed.text());
    assertThat(found.find()).as(printed.text()).isTrue();
    return Long.parseLong(found.group(1));
  }
}
