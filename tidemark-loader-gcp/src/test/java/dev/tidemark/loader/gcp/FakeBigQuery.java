package dev.tidemark.loader.gcp;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * BigQuery in this process, spoken to by the real client. It executes the product's own statements
 * on DuckDB, in tables without keys: there, as in BigQuery, a MERGE with two rows of one new key
 * inserts both, and one with two rows of an old key fails. So idempotency is observed.
 *
 * <p>It is strict: a procedure is called with exactly the structs that it was created with, a
 * parameter has 1 MB at most, a job's id is used once, and a job is found in its location only.
 */
final class FakeBigQuery implements AutoCloseable {
  static final String PROJECT = FakePubSub.PROJECT;
  static final String DATASET = "instant";
  static final String LOCATION = "asia-northeast1";
  private static final int PARAMETER_BYTES_MAX = 1_048_576;
  private static final Pattern COLUMN =
      Pattern.compile("(?m)^\\s+`(\\w+)` (\\w+)( NOT NULL)?(?:,|>>\\)|$)");

  private final String project;
  private final String base;
  private final Pattern created;
  private final HttpServer server;
  private final Connection duck;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final Map<String, List<Column>> tables = new LinkedHashMap<>();
  private final Map<String, Procedure> procedures = new LinkedHashMap<>();
  private final Map<String, JsonObject> jobs = new LinkedHashMap<>();
  private final Map<String, Integer> pollsLeft = new LinkedHashMap<>();
  private final Deque<Fault> insertFaults = new ArrayDeque<>();
  private final Deque<Fault> otherFaults = new ArrayDeque<>();
  private final List<Call> calls = new ArrayList<>();
  private int inserts;
  private boolean compressed;
  private long clockAheadMillis;
  private Function<Call, String> refusing = call -> "";

  /** A column as a statement declares it. */
  private record Column(String name, String type, boolean required) {}

  private record Procedure(List<Column> argument, String body) {}

  /** A call of a procedure that was executed or failed. */
  record Call(String job, String procedure, List<Map<String, String>> rows, int parameterBytes) {}

  /** What goes wrong with one request. */
  sealed interface Fault {
    /** The request is refused. */
    record Refuse(int code, String reason) implements Fault {}

    /** The request has its effect, and the answer is an error. */
    record LoseAnswer(int code) implements Fault {}

    /** The request has its effect, and the connection breaks. */
    record Disconnect() implements Fault {}

    /** The connection breaks before the effect. */
    record DisconnectBefore() implements Fault {}

    /** The job is accepted and fails. */
    record JobFails(String reason, String message) implements Fault {}

    /** The job runs for some polls. */
    record Slow(int polls) implements Fault {}

    /** All goes well, and something happens meanwhile. */
    record Meanwhile(Runnable event) implements Fault {}

    /** All goes well. */
    record None() implements Fault {}
  }

  FakeBigQuery() throws IOException, SQLException {
    this(PROJECT);
  }

  FakeBigQuery(String project) throws IOException, SQLException {
    this.project = project;
    base = "/bigquery/v2/projects/" + project;
    created = Pattern.compile("`" + project + "\\." + DATASET + "\\.(\\w+)`");
    duck = DriverManager.getConnection("jdbc:duckdb:");
    execute("CREATE MACRO timestamp_micros(x) AS make_timestamptz(x)");
    execute("SET TimeZone = 'UTC'");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Runs statements as an administrator would with {@code bq query}. */
  void administer(String statements) {
    for (String statement : statements.split("(?<=;)\\n\\n", -1)) {
      String sql = statement.lines().filter(line -> !line.startsWith("--")).toList().toString();
      if (!sql.equals("[]") && !statement.isBlank()) {
        lock.lock();
        try {
          ddl(statement);
        } catch (SQLException failure) {
          throw new IllegalArgumentException(statement, failure);
        } finally {
          lock.unlock();
        }
      }
    }
  }

  void dropProcedure(String name) {
    procedures.remove(name);
  }

  void dropTable(String name) throws SQLException {
    tables.remove(name);
    execute("DROP TABLE " + name);
  }

  /** Answers for requests that start jobs, one after the other. */
  void failInserts(Fault... faults) {
    insertFaults.addAll(List.of(faults));
  }

  /** Answers for all other requests. */
  void failOthers(Fault... faults) {
    otherFaults.addAll(List.of(faults));
  }

  /** Calls for which the function has a text fail with it as data that is refused. */
  void refuse(Function<Call, String> function) {
    refusing = function;
  }

  void clockAhead(long millis) {
    clockAheadMillis = millis;
  }

  /** Calls of procedures that were executed. */
  List<Call> calls() {
    lock.lock();
    try {
      return List.copyOf(calls);
    } finally {
      lock.unlock();
    }
  }

  /** How many requests for new jobs came. */
  int inserts() {
    return inserts;
  }

  boolean sawCompressedBody() {
    return compressed;
  }

  List<List<Object>> query(String sql) throws SQLException {
    lock.lock();
    try (Statement statement = duck.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      List<List<Object>> rows = new ArrayList<>();
      while (found.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
          row.add(String.valueOf(found.getString(i)));
        }
        rows.add(row);
      }
      return rows;
    } finally {
      lock.unlock();
    }
  }

  void execute(String sql) throws SQLException {
    lock.lock();
    try (Statement statement = duck.createStatement()) {
      statement.execute(sql);
    } finally {
      lock.unlock();
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    boolean insert = exchange.getRequestMethod().equals("POST") && path.equals(base + "/jobs");
    byte[] body = body(exchange);
    lock.lock();
    try (exchange) {
      inserts += insert ? 1 : 0;
      Fault fault =
          Objects.requireNonNullElse(
              insert ? insertFaults.poll() : otherFaults.poll(), new Fault.None());
      switch (fault) {
        case Fault.Refuse(int code, String reason) ->
            answer(exchange, code, error(code, reason, "Scripted " + reason));
        case Fault.DisconnectBefore before -> {
          // The exchange is closed without an answer.
        }
        case Fault.LoseAnswer(int code) -> {
          Answer unused = effect(insert, path, exchange, body, fault);
          answer(exchange, code, error(code, "backendError", "The answer is lost"));
        }
        case Fault.Disconnect disconnect -> {
          Answer unused = effect(insert, path, exchange, body, fault);
        }
        case Fault.JobFails fails -> answer(exchange, effect(insert, path, exchange, body, fault));
        case Fault.Slow slow -> answer(exchange, effect(insert, path, exchange, body, fault));
        case Fault.Meanwhile(Runnable event) -> {
          event.run();
          answer(exchange, effect(insert, path, exchange, body, fault));
        }
        case Fault.None none -> answer(exchange, effect(insert, path, exchange, body, fault));
      }
    } finally {
      lock.unlock();
    }
  }

  private record Answer(int code, JsonObject body) {}

  private byte[] body(HttpExchange exchange) throws IOException {
    boolean gzip = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    compressed |= gzip;
    try (InputStream in =
        gzip ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
      return in.readAllBytes();
    }
  }

  private static void answer(HttpExchange exchange, Answer answer) throws IOException {
    answer(exchange, answer.code(), answer.body());
  }

  private static void answer(HttpExchange exchange, int code, JsonObject json) throws IOException {
    byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private Answer effect(
      boolean insert, String path, HttpExchange exchange, byte[] body, Fault fault) {
    if (insert) {
      return insert(
          JsonParser.parseString(new String(body, StandardCharsets.UTF_8)).getAsJsonObject(),
          fault);
    }
    String dataset = base + "/datasets/" + DATASET;
    if (path.equals(dataset)) {
      JsonObject json = new JsonObject();
      json.add("datasetReference", reference());
      json.addProperty("location", LOCATION);
      return new Answer(200, json);
    }
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (path.startsWith(dataset + "/tables/") && tables.containsKey(name)) {
      return new Answer(200, tableJson(name, Objects.requireNonNull(tables.get(name))));
    }
    if (path.startsWith(dataset + "/routines/") && procedures.containsKey(name)) {
      return new Answer(200, routineJson(name, Objects.requireNonNull(procedures.get(name))));
    }
    if (path.startsWith(base + "/jobs/")) {
      String query = String.valueOf(exchange.getRequestURI().getQuery());
      JsonObject job = query.contains("location=" + LOCATION) ? jobs.get(name) : null;
      if (job != null) {
        return new Answer(200, poll(name, job));
      }
    }
    return new Answer(404, error(404, "notFound", "Not found: " + path));
  }

  private JsonObject reference() {
    JsonObject reference = new JsonObject();
    reference.addProperty("projectId", project);
    reference.addProperty("datasetId", DATASET);
    return reference;
  }

  private JsonObject tableJson(String name, List<Column> columns) {
    JsonArray fields = new JsonArray();
    for (Column column : columns) {
      JsonObject field = new JsonObject();
      field.addProperty("name", column.name());
      field.addProperty("type", legacy(column.type()));
      field.addProperty("mode", column.required() ? "REQUIRED" : "NULLABLE");
      fields.add(field);
    }
    JsonObject schema = new JsonObject();
    schema.add("fields", fields);
    JsonObject json = new JsonObject();
    JsonObject reference = reference();
    reference.addProperty("tableId", name);
    json.add("tableReference", reference);
    json.addProperty("type", "TABLE");
    json.add("schema", schema);
    return json;
  }

  private static String legacy(String type) {
    return switch (type) {
      case "INT64" -> "INTEGER";
      case "FLOAT64" -> "FLOAT";
      case "BOOL" -> "BOOLEAN";
      default -> type;
    };
  }

  private JsonObject routineJson(String name, Procedure procedure) {
    JsonArray fields = new JsonArray();
    for (Column column : procedure.argument()) {
      JsonObject field = new JsonObject();
      field.addProperty("name", column.name());
      JsonObject type = new JsonObject();
      type.addProperty("typeKind", column.type());
      field.add("type", type);
      fields.add(field);
    }
    JsonObject struct = new JsonObject();
    struct.add("fields", fields);
    JsonObject element = new JsonObject();
    element.addProperty("typeKind", "STRUCT");
    element.add("structType", struct);
    JsonObject array = new JsonObject();
    array.addProperty("typeKind", "ARRAY");
    array.add("arrayElementType", element);
    JsonObject argument = new JsonObject();
    argument.addProperty("name", "batch");
    argument.add("dataType", array);
    JsonArray arguments = new JsonArray();
    arguments.add(argument);
    JsonObject json = new JsonObject();
    JsonObject reference = reference();
    reference.addProperty("routineId", name);
    json.add("routineReference", reference);
    json.addProperty("routineType", "PROCEDURE");
    json.add("arguments", arguments);
    return json;
  }

  private Answer insert(JsonObject request, Fault fault) {
    JsonObject reference = request.getAsJsonObject("jobReference");
    String id = reference.get("jobId").getAsString();
    if (jobs.containsKey(id)) {
      return new Answer(
          409, error(409, "duplicate", "Already Exists: Job %s:%s".formatted(project, id)));
    }
    JsonObject configuration = request.getAsJsonObject("configuration").getAsJsonObject("query");
    if (configuration.get("useLegacySql").getAsBoolean()
        || !reference.get("location").getAsString().equals(LOCATION)) {
      return new Answer(400, error(400, "invalid", "legacy SQL, or no location: " + request));
    }
    JsonObject status = new JsonObject();
    JsonObject statistics = new JsonObject();
    long now = System.currentTimeMillis() + clockAheadMillis;
    statistics.addProperty("creationTime", String.valueOf(now));
    if (fault instanceof Fault.JobFails(String reason, String message)) {
      status.add("errorResult", reason(reason, message));
    } else {
      perform(id, configuration, status, statistics);
    }
    status.addProperty("state", "DONE");
    JsonObject job = new JsonObject();
    job.addProperty("id", project + ":" + LOCATION + "." + id);
    job.add("jobReference", reference);
    job.add("configuration", request.getAsJsonObject("configuration"));
    job.add("status", status);
    job.add("statistics", statistics);
    jobs.put(id, job);
    pollsLeft.put(id, fault instanceof Fault.Slow(int polls) ? polls : 0);
    return new Answer(200, poll(id, job));
  }

  private JsonObject poll(String id, JsonObject job) {
    if (pollsLeft.merge(id, -1, Integer::sum) < 0) {
      return job;
    }
    JsonObject running = job.deepCopy();
    JsonObject status = new JsonObject();
    status.addProperty("state", "RUNNING");
    running.add("status", status);
    return running;
  }

  private void perform(
      String id, JsonObject configuration, JsonObject status, JsonObject statistics) {
    String sql = configuration.get("query").getAsString();
    try {
      if (sql.startsWith("CALL ")) {
        call(id, sql, configuration, status, statistics);
      } else {
        ddl(sql);
      }
    } catch (SQLException failure) {
      status.add("errorResult", reason("invalidQuery", String.valueOf(failure.getMessage())));
    }
  }

  private void ddl(String sql) throws SQLException {
    Matcher name = created.matcher(sql);
    if (!name.find()) {
      throw new SQLException("No table or procedure of this dataset: " + sql);
    }
    if (sql.contains("CREATE TABLE")) {
      if (!tables.containsKey(name.group(1))) {
        createTable(name.group(1), columns(sql));
      }
    } else if (sql.contains("ADD COLUMN")) {
      Matcher added = Pattern.compile("IF NOT EXISTS `(\\w+)` (\\w+)").matcher(sql);
      if (!added.find()) {
        throw new SQLException("Syntax error: " + sql);
      }
      Column column = new Column(added.group(1), added.group(2), false);
      List<Column> all = new ArrayList<>(tables.getOrDefault(name.group(1), List.of()));
      all.add(column);
      tables.put(name.group(1), all);
      execute(
          "ALTER TABLE %s ADD COLUMN \"%s\" %s"
              .formatted(name.group(1), column.name(), duckType(column.type())));
    } else if (sql.contains("CREATE OR REPLACE PROCEDURE")) {
      int begin = sql.indexOf("BEGIN\n");
      String body = sql.substring(begin + 6, sql.lastIndexOf("END;"));
      procedures.put(name.group(1), new Procedure(columns(sql.substring(0, begin)), body));
    } else {
      throw new SQLException("Syntax error: " + sql);
    }
  }

  private static List<Column> columns(String sql) {
    return COLUMN
        .matcher(sql)
        .results()
        .map(found -> new Column(found.group(1), found.group(2), found.group(3) != null))
        .toList();
  }

  private void createTable(String name, List<Column> columns) throws SQLException {
    tables.put(name, columns);
    execute("CREATE TABLE %s (%s)".formatted(name, declared(columns)));
  }

  private static String declared(List<Column> columns) {
    List<String> all = new ArrayList<>();
    for (Column column : columns) {
      all.add(
          "\"%s\" %s%s"
              .formatted(
                  column.name(), duckType(column.type()), column.required() ? " NOT NULL" : ""));
    }
    return String.join(", ", all);
  }

  private static String duckType(String type) {
    return switch (type) {
      case "STRING" -> "VARCHAR";
      case "INT64" -> "BIGINT";
      case "FLOAT64" -> "DOUBLE";
      case "NUMERIC" -> "DECIMAL(38,9)";
      case "BOOL" -> "BOOLEAN";
      case "TIMESTAMP" -> "TIMESTAMPTZ";
      case "DATE" -> "DATE";
      case "BYTES" -> "BLOB";
      default -> throw new IllegalArgumentException("No type of BigQuery: " + type);
    };
  }

  private void call(
      String id, String sql, JsonObject configuration, JsonObject status, JsonObject statistics)
      throws SQLException {
    Matcher name = created.matcher(sql);
    Procedure procedure = name.find() ? procedures.get(name.group(1)) : null;
    if (procedure == null) {
      status.add("errorResult", reason("notFound", "Not found: Routine in " + sql));
      return;
    }
    JsonObject parameter = configuration.getAsJsonArray("queryParameters").get(0).getAsJsonObject();
    JsonArray array = parameter.getAsJsonObject("parameterValue").getAsJsonArray("arrayValues");
    int bytes = array.toString().getBytes(StandardCharsets.UTF_8).length;
    String problem = problem(parameter, procedure, bytes);
    if (!problem.isEmpty()) {
      status.add("errorResult", reason("invalidQuery", problem));
      return;
    }
    Call call = new Call(id, name.group(1), rows(array), bytes);
    String refused = refusing.apply(call);
    if (!refused.isEmpty()) {
      status.add("errorResult", reason("invalidQuery", refused));
      return;
    }
    JsonObject query = new JsonObject();
    query.addProperty("numDmlAffectedRows", String.valueOf(run(procedure, call.rows())));
    query.addProperty("statementType", "SCRIPT");
    statistics.add("query", query);
    calls.add(call);
  }

  private static String problem(JsonObject parameter, Procedure procedure, int bytes) {
    if (bytes > PARAMETER_BYTES_MAX) {
      return "Script variable batch exceeded the size limit of 1048576 bytes";
    }
    List<String> types = new ArrayList<>();
    JsonObject element = parameter.getAsJsonObject("parameterType").getAsJsonObject("arrayType");
    for (JsonElement field : element.getAsJsonArray("structTypes")) {
      JsonObject struct = field.getAsJsonObject();
      types.add(
          struct.get("name").getAsString()
              + " "
              + struct.getAsJsonObject("type").get("type").getAsString());
    }
    List<String> wanted =
        procedure.argument().stream().map(column -> column.name() + " " + column.type()).toList();
    return types.equals(wanted)
        ? ""
        : "Invalid value for argument batch: %s, wanted %s".formatted(types, wanted);
  }

  private static List<Map<String, String>> rows(JsonArray array) {
    List<Map<String, String>> rows = new ArrayList<>();
    for (JsonElement each : array) {
      Map<String, String> row = new LinkedHashMap<>();
      each.getAsJsonObject()
          .getAsJsonObject("structValues")
          .entrySet()
          .forEach(
              field -> {
                JsonElement value = field.getValue().getAsJsonObject().get("value");
                if (value != null && !value.isJsonNull()) {
                  row.put(field.getKey(), value.getAsString());
                }
              });
      rows.add(row);
    }
    return rows;
  }

  private long run(Procedure procedure, List<Map<String, String>> rows) throws SQLException {
    execute(
        "CREATE OR REPLACE TEMP TABLE batch_rows (%s)".formatted(declared(procedure.argument())));
    try (DuckDBAppender appender =
        duck.unwrap(DuckDBConnection.class).createAppender("temp", "main", "batch_rows")) {
      for (Map<String, String> row : rows) {
        appender.beginRow();
        for (Column column : procedure.argument()) {
          append(appender, column.type(), row.getOrDefault(column.name(), "\0none"));
        }
        appender.endRow();
      }
    }
    long changed = 0;
    for (String statement : procedure.body().split(";\\n", -1)) {
      if (!statement.isBlank()) {
        changed += statement(statement.strip());
      }
    }
    return changed;
  }

  private static void append(DuckDBAppender appender, String type, String value)
      throws SQLException {
    if (value.equals("\0none")) {
      appender.appendNull();
      return;
    }
    switch (type) {
      case "INT64" -> appender.append(Long.parseLong(value));
      case "FLOAT64" -> appender.append(Double.parseDouble(value));
      case "NUMERIC" -> appender.append(new BigDecimal(value));
      case "BOOL" -> appender.append(Boolean.parseBoolean(value));
      case "DATE" -> appender.append(LocalDate.parse(value));
      case "BYTES" -> appender.append(Base64.getDecoder().decode(value));
      default -> appender.append(value);
    }
  }

  /** A statement of a procedure's body, in DuckDB's words. */
  private long statement(String sql) throws SQLException {
    String duckSql =
        created
            .matcher(sql)
            .replaceAll("$1")
            .replace('`', '"')
            .replace("UNNEST(batch) AS r", "batch_rows AS r");
    Matcher declare =
        Pattern.compile("DECLARE (\\w+) \\w+ DEFAULT \\((?s)(.*)\\)").matcher(duckSql);
    try (Statement statement = duck.createStatement()) {
      if (declare.matches()) {
        statement.execute("SET VARIABLE %s = (%s)".formatted(declare.group(1), declare.group(2)));
        return 0;
      }
      return statement.executeUpdate(
          duckSql.replaceAll("\\b(first_moment|last_moment)\\b", "getvariable('$1')"));
    }
  }

  private static JsonObject reason(String reason, String message) {
    JsonObject error = new JsonObject();
    error.addProperty("reason", reason);
    error.addProperty("message", message);
    return error;
  }

  private static JsonObject error(int code, String reason, String message) {
    JsonArray errors = new JsonArray();
    errors.add(reason(reason, message));
    JsonObject error = new JsonObject();
    error.addProperty("code", code);
    error.addProperty("message", message);
    error.add("errors", errors);
    JsonObject json = new JsonObject();
    json.add("error", error);
    return json;
  }

  @Override
  public void close() throws SQLException {
    server.stop(0);
    duck.close();
  }
}
