package dev.tidemark.loader.gcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.functions.HttpResponse;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.gcp.FakeBigQuery.Fault;
import dev.tidemark.testkit.ManualTime;
import io.grpc.Status;
import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole way of measurements, as function and as command. */
@Timeout(120)
class Instant2BqTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final String PLACE = FakeBigQuery.PROJECT + "." + FakeBigQuery.DATASET;

  private FakePubSub pubSub;
  private FakeBigQuery bigQuery;
  private Map<String, String> environment;

  @BeforeEach
  void open() throws IOException, SQLException {
    pubSub = new FakePubSub();
    bigQuery = new FakeBigQuery();
    bigQuery.administer(Instant2Bq.ddl(PLACE, "instant_data"));
    environment = Readings.environment(pubSub.address(), bigQuery);
  }

  @AfterEach
  void close() throws SQLException {
    pubSub.close();
    bigQuery.close();
  }

  private void publish(int from, int to) {
    for (int i = from; i < to; i++) {
      pubSub.publish(
          "m" + i, NOON, Readings.attributes("p" + i % 7, "" + i, "" + (800_000_000 + i)));
    }
  }

  private LoadResult load() {
    try (Instant2Bq job = Instant2Bq.open(Instant2BqSettings.of(environment))) {
      return job.load();
    }
  }

  @Test
  void measurementsBecomeRowsAtTheirMoments() throws SQLException {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
    try {
      pubSub.publish("m1", NOON, Readings.attributes("a", "100", "0"));
      pubSub.publish("m2", NOON, Readings.attributes("b", "-250", "800000000"));
      pubSub.publish("m3", NOON, Readings.attributes("b", "-250", "800000000"));

      LoadResult result = load();

      assertThat(result.successful()).isTrue();
      assertThat(result.merged()).isEqualTo(3);
    } finally {
      TimeZone.setDefault(before);
    }
    assertThat(bigQuery.query("SELECT point_id, measured_at, power FROM instant_data ORDER BY 1"))
        .containsExactly(
            List.of("a", "1999-12-31T15:00Z", "100"), List.of("b", "2025-05-07T21:13:20Z", "-250"));
    assertThat(pubSub.backlog()).isZero();
  }

  @Test
  void badMessagesAreDeadLettersAndTheOthersGoOn() throws SQLException {
    publish(0, 50);
    Map<String, Map<String, String>> bad = new TreeMap<>();
    bad.put("power is refused: '１２'", Readings.attributes("p", "１２", "1"));
    bad.put("power is refused: '12.5'", Readings.attributes("p", "12.5", "1"));
    bad.put("64 bits", Readings.attributes("p", "99999999999999999999", "1"));
    bad.put("missing power", Readings.attributes("p", " ", "1"));
    bad.put("missing timestamp", Map.of("point_id", "p", "power", "1"));
    bad.put("timestamp is '-1'", Readings.attributes("p", "1", "-1"));
    bad.put("timestamp is '１'", Readings.attributes("p", "1", "１"));
    bad.put("more than a day after", Readings.attributes("p", "1", "9999999999"));
    bad.put("missing point_id", Readings.attributes("\u3000", "1", "1"));
    int number = 0;
    for (Map<String, String> attributes : bad.values()) {
      pubSub.publish("bad" + number++, NOON, attributes);
    }

    LoadResult result = load();

    assertThat(result.merged()).isEqualTo(50);
    assertThat(result.dead()).isEqualTo(bad.size());
    assertThat(pubSub.backlog()).isZero();
    List<List<Object>> letters =
        bigQuery.query("SELECT reason FROM tidemark_dead_letters ORDER BY message_id");
    assertThat(letters).hasSize(bad.size());
    int index = 0;
    for (String reason : bad.keySet()) {
      assertThat(letters.get(index++).getFirst().toString()).contains(reason);
    }
  }

  @Test
  void backlogIsLoadedInJobsOfAtMostTheConcurrentMessages() throws SQLException {
    environment.put("CONCURRENT_MESSAGES", "400");
    publish(0, 1_000);

    LoadResult result = load();

    assertThat(result.merged()).isEqualTo(1_000);
    assertThat(bigQuery.calls()).allMatch(call -> call.rows().size() <= 400).hasSizeGreaterThan(2);
    assertThat(bigQuery.query("SELECT count(*) FROM instant_data"))
        .containsExactly(List.of("1000"));
  }

  @Test
  void largeBacklogIsLoadedInOneCallWithinBothLimitsOfAJob() throws SQLException {
    publish(0, 10_000);

    LoadResult result = load();

    assertThat(result.merged()).isEqualTo(10_000);
    assertThat(bigQuery.calls())
        .hasSizeBetween(3, 10)
        .allSatisfy(
            call -> {
              assertThat(call.rows().size()).isLessThanOrEqualTo(4_096);
              assertThat(call.parameterBytes()).isLessThanOrEqualTo(900_000);
            });
    assertThat(bigQuery.query("SELECT count(*) FROM instant_data"))
        .containsExactly(List.of("10000"));
  }

  @Test
  void acknowledgementThatIsRefusedIsCountedAndTheMessageComesAgain() throws SQLException {
    pubSub.exactlyOnce();
    publish(0, 10);
    pubSub.failReceipts("m3", "PERMANENT_FAILURE_INVALID_ACK_ID");
    pubSub.failReceipts("m4", "TRANSIENT_FAILURE_BUSY");

    LoadResult result = load();

    assertThat(result.successful()).isTrue();
    assertThat(result.acksLost()).isEqualTo(1);
    assertThat(result.merged()).isEqualTo(11);
    assertThat(pubSub.backlog()).isZero();
    assertThat(bigQuery.query("SELECT count(*) FROM instant_data")).containsExactly(List.of("10"));
  }

  @Test
  void jobWhoseAnswerIsLostRunsOnceAndItsMessagesAreAcknowledged() {
    publish(0, 20);
    bigQuery.failInserts(new Fault.LoseAnswer(503));

    LoadResult result = load();

    assertThat(result.merged()).isEqualTo(20);
    assertThat(bigQuery.calls()).hasSize(1);
    assertThat(pubSub.backlog()).isZero();
  }

  @Test
  void serviceThatIsUnavailableTwiceStoresTheBatchOnce() throws SQLException {
    publish(0, 20);
    bigQuery.failInserts(
        new Fault.Refuse(503, "backendError"), new Fault.Refuse(503, "backendError"));

    LoadResult result = load();

    assertThat(result.successful()).isTrue();
    assertThat(result.merged()).isEqualTo(20);
    assertThat(bigQuery.inserts()).isEqualTo(3);
    assertThat(bigQuery.calls()).hasSize(1);
    assertThat(pubSub.backlog()).isZero();
    assertThat(bigQuery.query("SELECT count(*) FROM instant_data")).containsExactly(List.of("20"));
  }

  @Test
  void oneRowThatIsRefusedIsFound() throws SQLException {
    publish(0, 100);
    bigQuery.refuse(
        call ->
            call.rows().stream().anyMatch(row -> "66".equals(row.get("power")))
                ? "Value out of range"
                : "");

    LoadResult result = load();

    assertThat(result.merged()).isEqualTo(99);
    assertThat(result.dead()).isEqualTo(1);
    assertThat(bigQuery.query("SELECT message_id FROM tidemark_dead_letters"))
        .containsExactly(List.of("m66"));
  }

  @Test
  void missingProcedureEndsTheRunAndGivesEverythingBack() {
    publish(0, 20);
    try (Instant2Bq job = Instant2Bq.open(Instant2BqSettings.of(environment))) {
      bigQuery.dropProcedure("insert_instant_data");

      LoadResult result = job.load();

      assertThat(result.successful()).isFalse();
      assertThat(result.nacked()).isEqualTo(result.pulled()).isPositive();
      assertThat(pubSub.leased()).isZero();
      assertThat(pubSub.acked()).isEmpty();
    }
    assertThatThrownBy(this::load).hasMessageContaining("insert_instant_data");
    assertThat(command())
        .satisfies(
            command -> {
              assertThat(command.status).isEqualTo(1);
              assertThat(command.out).contains("\"status\":\"failed\"", "insert_instant_data");
            });
  }

  @Test
  void commandWithoutPermissionNamesTheRole() {
    publish(0, 5);
    pubSub.fail(new FakePubSub.Fault("pull", Status.PERMISSION_DENIED, false), 1);

    assertThat(command())
        .satisfies(
            command -> {
              assertThat(command.status).isEqualTo(1);
              assertThat(command.out).contains("roles/pubsub.subscriber");
            });
    assertThat(command("--budget", "0"))
        .satisfies(
            command -> {
              assertThat(command.status).isEqualTo(2);
              assertThat(command.err).contains("TIME_BUDGET_SECONDS is '0'");
            });
  }

  @Test
  void functionAnswersWithItsReport() {
    publish(0, 10);
    try (Instant2BqFunction function = new Instant2BqFunction(environment, TimeSource.system())) {
      Answer first = call(function);
      publish(10, 15);
      Answer second = call(function);

      assertThat(first.status).isEqualTo(200);
      assertThat(first.text()).contains("\"status\":\"done\"", "\"merged\":10");
      assertThat(second.text()).contains("\"merged\":5");
      String job = bigQuery.calls().getLast().job().replace("tidemark-", "");
      assertThat(second.text())
          .containsPattern(
              "\"jobs\":\\[\\{\"id\":\"%s\",\"rows\":5,\"bytes\":[1-9]\\d*,\"ms\":\\d+,\"outcome\":\"merged\"}]"
                  .formatted(job));
    }
  }

  @Test
  void timeOfACallThatItsOpeningTookIsNotTheRunsToo() {
    ManualTime time = ManualTime.standing();
    publish(0, 10);
    bigQuery.failOthers(new Fault.Meanwhile(() -> time.advance(Duration.ofSeconds(295))));
    try (Instant2BqFunction function = new Instant2BqFunction(environment, time)) {
      Answer late = call(function);
      assertThat(late.status).isEqualTo(500);
      assertThat(late.text()).contains("took PT4M55S of the PT5M of this call");
      assertThat(pubSub.pulls()).isZero();

      Answer next = call(function);
      assertThat(next.status).isEqualTo(200);
      assertThat(next.text()).contains("\"merged\":10");
    }
  }

  @Test
  void secondCallWhileOneRunsIsAnsweredAtOnce() throws Exception {
    environment.put("IDLE_SECONDS", "10");
    AtomicReference<Answer> first = new AtomicReference<>();
    Thread running;
    try (Instant2BqFunction function = new Instant2BqFunction(environment, TimeSource.system())) {
      running = Thread.ofVirtual().start(() -> first.set(call(function)));
      Readings.await("the first call pulls", () -> pubSub.pulls() > 0);

      Answer second = call(function);

      assertThat(second.status).isEqualTo(200);
      assertThat(second.text()).contains("already running");
      assertThat(running.isAlive()).isTrue();
      assertThat(pubSub.pulls()).isEqualTo(1);
    }
    assertThat(running.join(Duration.ofSeconds(60))).isTrue();
    assertThat(first.get().text()).contains("stopped");
  }

  @Test
  void functionRefusesAndFailsWithReasons() {
    pubSub.fail(new FakePubSub.Fault("pull", Status.PERMISSION_DENIED, false), 1);
    try (Instant2BqFunction function = new Instant2BqFunction(environment, TimeSource.system())) {
      Answer failed = call(function);
      assertThat(failed.status).isEqualTo(500);
      assertThat(failed.text()).contains("roles/pubsub.subscriber");
    }
    environment.remove("SUBSCRIPTION_ID");
    try (Instant2BqFunction function = new Instant2BqFunction(environment, TimeSource.system())) {
      Answer refused = call(function);
      assertThat(refused.status).isEqualTo(400);
      assertThat(refused.text()).contains("SUBSCRIPTION_ID is not set");
    }
    environment.put("SUBSCRIPTION_ID", FakePubSub.SUBSCRIPTION);
    environment.put("TABLE_ID", "no-name");
    try (Instant2BqFunction function = new Instant2BqFunction(environment, TimeSource.system())) {
      Answer refused = call(function);
      assertThat(refused.status).isEqualTo(400);
      assertThat(refused.text()).contains("'no-name' is no name of a table");
    }
    assertThat(pubSub.pulls()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "CONCURRENT_MESSAGES, 0",
    "CONCURRENT_MESSAGES, -1",
    "CONCURRENT_MESSAGES, x",
    "CONCURRENT_MESSAGES, 4097",
    "CONCURRENT_MESSAGES, ４",
    "CONCURRENT_MESSAGES, 9999999999",
    "TIME_BUDGET_SECONDS, 0",
    "IDLE_SECONDS, 0",
    "TABLE_POLICY, drop",
    "PUBSUB_EMULATOR_HOST, localhost",
    "PUBSUB_EMULATOR_HOST, localhost:x",
    "BIGQUERY_EMULATOR_HOST, localhost:9050",
    "BIGQUERY_EMULATOR_HOST, http://",
    "PROJECT_ID, ' '"
  })
  void variablesThatCannotBeAreNamed(String variable, String value) {
    environment.put(variable, value);

    assertThatThrownBy(() -> Instant2BqSettings.of(environment).tablePolicy())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(variable);
  }

  @Test
  void defaultsAreThoseOfTheDocument() {
    environment.remove("IDLE_SECONDS");
    Instant2BqSettings settings = Instant2BqSettings.of(environment);

    assertThat(settings.concurrentMessages()).isEqualTo(4_096);
    assertThat(settings.budget().total()).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.idle()).isEqualTo(Duration.ofSeconds(6));
    assertThat(settings.dataset()).isEqualTo("instant");
    assertThat(settings.table()).isEqualTo("instant_data");
  }

  @Test
  void commandLoadsPrintsAndRefuses() {
    publish(0, 10);
    Command done = command();
    assertThat(done.status).isZero();
    assertThat(done.out).contains("\"merged\":10");

    assertThat(command("--subscription", "elsewhere"))
        .satisfies(
            command -> {
              assertThat(command.status).isEqualTo(1);
              assertThat(command.out).contains("NOT_FOUND");
            });
    assertThat(command("--concurrent-messages", "0"))
        .satisfies(
            command -> {
              assertThat(command.status).isEqualTo(2);
              assertThat(command.err).contains("CONCURRENT_MESSAGES is '0'");
            });
    assertThat(command("--surprise").status).isEqualTo(2);
    assertThat(command("--budget").err).contains("--budget has no value");
    assertThat(command("--help").out).contains("usage: load instant2bq");
    assertThat(command("--print-ddl").out).isEqualTo(Instant2Bq.ddl(PLACE, "instant_data"));
    assertThat(command("--print-ddl", "--json").out)
        .startsWith("{\"ddl\":\"CREATE TABLE IF NOT EXISTS `" + PLACE + ".instant_data`")
        .endsWith("\"}\n")
        .hasLineCount(1);
    assertThat(command("--json").out).startsWith("{\"status\":\"done\"").hasLineCount(1);
  }

  @Test
  void commandCreatesWhatIsMissing() throws SQLException {
    publish(0, 10);
    assertThat(command("--table", "power").out).contains("does not exist");

    assertThat(command("--table", "power", "--create").status).isZero();

    assertThat(bigQuery.query("SELECT count(*) FROM power")).containsExactly(List.of("10"));
  }

  private record Command(int status, String out, String err) {}

  private Command command(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        new Instant2BqCommand(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                environment)
            .run(arguments);
    return new Command(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static Answer call(Instant2BqFunction function) {
    Answer answer = new Answer();
    try {
      function.service(new Request(), answer);
      answer.writer.flush();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return answer;
  }

  /** An empty request, as the Scheduler sends it. */
  private static final class Request implements com.google.cloud.functions.HttpRequest {
    @Override
    public String getMethod() {
      return "POST";
    }

    @Override
    public String getUri() {
      return "http://localhost/";
    }

    @Override
    public String getPath() {
      return "/";
    }

    @Override
    public Optional<String> getQuery() {
      return Optional.empty();
    }

    @Override
    public Map<String, List<String>> getQueryParameters() {
      return Map.of();
    }

    @Override
    public Map<String, HttpPart> getParts() {
      return Map.of();
    }

    @Override
    public Optional<String> getContentType() {
      return Optional.empty();
    }

    @Override
    public long getContentLength() {
      return 0;
    }

    @Override
    public Optional<String> getCharacterEncoding() {
      return Optional.empty();
    }

    @Override
    public java.io.InputStream getInputStream() {
      return java.io.InputStream.nullInputStream();
    }

    @Override
    public java.io.BufferedReader getReader() {
      return new java.io.BufferedReader(java.io.Reader.nullReader());
    }

    @Override
    public Map<String, List<String>> getHeaders() {
      return Map.of();
    }
  }

  /** What the function answered. */
  private static final class Answer implements HttpResponse {
    private final Writer text = new StringWriter();
    private final BufferedWriter writer = new BufferedWriter(text);
    private int status = 200;
    private String type = "";

    String text() {
      return text.toString();
    }

    @Override
    public void setStatusCode(int code) {
      status = code;
    }

    @Override
    public void setStatusCode(int code, String message) {
      status = code;
    }

    @Override
    public void setContentType(String contentType) {
      type = contentType;
    }

    @Override
    public Optional<String> getContentType() {
      return Optional.of(type);
    }

    @Override
    public void appendHeader(String header, String value) {}

    @Override
    public Map<String, List<String>> getHeaders() {
      return Map.of();
    }

    @Override
    public OutputStream getOutputStream() {
      return OutputStream.nullOutputStream();
    }

    @Override
    public BufferedWriter getWriter() {
      return writer;
    }
  }
}
