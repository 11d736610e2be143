package dev.tidemark.chaos.loader;

import dev.tidemark.chaos.pulse.PulseAccess;
import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Message;
import dev.tidemark.chaos.run.Settings;
import dev.tidemark.chaos.run.Workspace;
import dev.tidemark.kv.Database;
import dev.tidemark.loader.InstantData;
import dev.tidemark.loader.PostgresWarehouse;
import dev.tidemark.loader.Table;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.testkit.server.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One round: this process publishes measurements, many of them of the same second again, while two
 * loaders are killed and started. In the end the table has the last value of every key.
 */
public final class LoaderRound implements AutoCloseable {
  static final String STREAM = "readings";

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int MEMBERS = 2;
  private static final int POINTS = 20;
  private static final int SECONDS = 300;
  private static final int EVENTS_A_COMMIT = 200;

  private final Workspace workspace;
  private final Settings settings;
  private final SplittableRandom random;
  private final LoaderTally tally;
  private final PostgresServer warehouse;
  private final List<ChildProcess> members = new ArrayList<>();

  /** The value of each key that was published last. */
  private final Map<String, Long> expected = new HashMap<>();

  private int events;
  private int kills;

  LoaderRound(
      Workspace workspace,
      Settings settings,
      SplittableRandom random,
      LoaderTally tally,
      PostgresServer warehouse) {
    this.workspace = workspace;
    this.settings = settings;
    this.random = random;
    this.tally = tally;
    this.warehouse = warehouse;
  }

  public static String address(ChildProcess server) throws InterruptedException {
    int port =
        server
            .await(Message.Serving.class, PATIENCE)
            .orElseThrow(() -> new IllegalStateException("No server: " + server.errors()))
            .port();
    return "tidemark://127.0.0.1:" + port;
  }

  void run(String address) throws InterruptedException {
    try (PostgresWarehouse tables = PostgresWarehouse.of(warehouse.connections())) {
      tables.prepare(InstantData.mapping().table(), Table.Policy.CREATE);
    }
    try (PulseAccess access = PulseAccess.open(address)) {
      for (int i = 0; i < MEMBERS; i++) {
        members.add(member(address));
      }
      publishAndKill(access, address);
    }
    awaitRows();
    check();
  }

  private ChildProcess member(String address) {
    return ChildProcess.start(
        workspace,
        "loader-" + members.size(),
        LoaderMember.class,
        List.of(address, warehouse.url(), Long.toString(random.nextLong())));
  }

  private void publishAndKill(PulseAccess access, String address) throws InterruptedException {
    Database database = access.database().orElseThrow();
    EventStream stream = access.pulse().stream(STREAM, o -> o.keepingAll());
    long end = System.nanoTime() + settings.longestRun().toNanos();
    long killAt = nextKill();
    while (System.nanoTime() < end) {
      publish(database, stream);
      if (System.nanoTime() > killAt) {
        int victim = random.nextInt(MEMBERS);
        complaints(members.get(victim));
        members.get(victim).kill();
        kills++;
        tally.kill();
        members.set(victim, member(address));
        killAt = nextKill();
      }
    }
  }

  /** Mostly after the member has started to load, sometimes before. */
  private long nextKill() {
    return System.nanoTime() + Duration.ofMillis(300 + random.nextInt(2_000)).toNanos();
  }

  private void publish(Database database, EventStream stream) throws InterruptedException {
    Map<String, Long> values = new HashMap<>();
    List<String> payloads = new ArrayList<>();
    for (int i = 0; i < EVENTS_A_COMMIT; i++) {
      int point = random.nextInt(POINTS);
      int second = random.nextInt(SECONDS);
      long power = events++;
      values.put("p" + point + "@" + second, power);
      payloads.add(
          "{\"point_id\":\"p%d\",\"timestamp\":\"%d\",\"power\":\"%d\"}"
              .formatted(point, second, power));
    }
    database.run(
        tx ->
            payloads.forEach(
                payload ->
                    stream.add(tx, "reading", "", payload.getBytes(StandardCharsets.UTF_8))));
    expected.putAll(values);
    tally.acknowledged(EVENTS_A_COMMIT);
    Thread.sleep(Duration.ofMillis(random.nextInt(30)));
  }

  private void awaitRows() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!stored().equals(asRows(expected)) && System.nanoTime() < deadline) {
      Thread.sleep(Duration.ofMillis(200));
    }
  }

  private void check() {
    Map<String, List<Long>> found = stored();
    expected.forEach(
        (key, power) -> {
          List<Long> values = found.getOrDefault(key, List.of());
          if (values.isEmpty()) {
            tally.missing(key);
          } else if (values.size() > 1) {
            tally.duplicate(key + " has " + values);
          } else if (!values.getFirst().equals(power)) {
            tally.stale("%s is %s instead of %d".formatted(key, values, power));
          }
        });
    found.keySet().stream()
        .filter(key -> !expected.containsKey(key))
        .forEach(key -> tally.findings.broken("a row that nobody published: " + key));
    tally.rows(found.size());
    members.forEach(this::complaints);
  }

  private void complaints(ChildProcess member) {
    if (member.ended()) {
      tally.findings.broken("A loader ended by itself: " + member.errors());
    }
  }

  private static Map<String, List<Long>> asRows(Map<String, Long> values) {
    Map<String, List<Long>> rows = new HashMap<>();
    values.forEach((key, value) -> rows.put(key, List.of(value)));
    return rows;
  }

  private Map<String, List<Long>> stored() {
    Map<String, List<Long>> rows = new HashMap<>();
    try (Connection connection = warehouse.connections().getConnection();
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT point_id, extract(epoch FROM measured_at)::bigint, power FROM "
                    + InstantData.TABLE)) {
      while (found.next()) {
        long second = found.getLong(2) - InstantData.EPOCH_UNIX_SECONDS;
        rows.computeIfAbsent(found.getString(1) + "@" + second, key -> new ArrayList<>())
            .add(found.getLong(3));
      }
      return rows;
    } catch (SQLException failure) {
      throw new IllegalStateException("The table cannot be read", failure);
    }
  }

  String notes() {
    return "%d events for %d rows, %d kills".formatted(events, expected.size(), kills);
  }

  @Override
  public void close() {
    members.forEach(ChildProcess::close);
  }
}
