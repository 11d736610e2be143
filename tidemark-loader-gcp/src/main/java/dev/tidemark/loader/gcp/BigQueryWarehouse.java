package dev.tidemark.loader.gcp;

import com.google.api.gax.retrying.RetrySettings;
import com.google.cloud.NoCredentials;
import com.google.cloud.bigquery.BigQuery;
import com.google.cloud.bigquery.BigQueryException;
import com.google.cloud.bigquery.BigQueryOptions;
import com.google.cloud.bigquery.Dataset;
import com.google.cloud.bigquery.DatasetId;
import com.google.cloud.bigquery.JobId;
import com.google.cloud.bigquery.QueryJobConfiguration;
import com.google.cloud.http.HttpTransportOptions;
import dev.tidemark.kv.Backoff;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UsageException;
import dev.tidemark.loader.Batch;
import dev.tidemark.loader.DeadLetter;
import dev.tidemark.loader.DeadLetters;
import dev.tidemark.loader.MergeOutcome;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.TableMismatchException;
import dev.tidemark.loader.Warehouse;
import dev.tidemark.loader.gcp.internal.bigquery.Failure;
import dev.tidemark.loader.gcp.internal.bigquery.JobEnd;
import dev.tidemark.loader.gcp.internal.bigquery.Jobs;
import dev.tidemark.loader.gcp.internal.bigquery.Letters;
import dev.tidemark.loader.gcp.internal.bigquery.Parts;
import dev.tidemark.loader.gcp.internal.bigquery.RowParameter;
import dev.tidemark.loader.gcp.internal.bigquery.TableShape;
import dev.tidemark.loader.gcp.internal.bigquery.TableSql;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A dataset of BigQuery. A batch is an array of structs that a stored procedure merges into its
 * table: {@code insert_instant_data} for the table {@code instant_data}.
 *
 * <p>A job has at most 4,096 rows and 900,000 bytes of parameter; a batch beyond that is several
 * jobs, one after the other. Each job has an id that is made from the id of its batch, so a request
 * whose answer was lost is repeated without running twice. Jobs of different batches may run twice
 * or late: a row is replaced only by a later publication.
 *
 * <p>Rows and a position cannot be stored together here, so sources in order and deletions are
 * refused. Dead letters go to the table {@code tidemark_dead_letters} of the same dataset.
 */
public final class BigQueryWarehouse implements Warehouse, DeadLetters {
  /** Most rows of a job, where nothing else is said. */
  public static final int JOB_ROWS = 4_096;

  /** Most bytes of a job's parameter, where nothing else is said; BigQuery's limit is 1 MB. */
  public static final int JOB_BYTES = 900_000;

  private static final Pattern DATASET = Pattern.compile("[A-Za-z0-9_]{1,1024}");
  private static final Pattern PROJECT = Pattern.compile("[a-z0-9.:-]{1,100}");
  private static final Duration CONNECT_MAX = Duration.ofSeconds(10);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
  private static final int QUESTIONS_MAX = 4;
  private static final Backoff QUESTIONS =
      Backoff.of(Duration.ofMillis(200), Duration.ofSeconds(2)).withAtLeastHalf();
  private static final Duration STATEMENT_MAX = Duration.ofMinutes(2);

  private final String project;
  private final String dataset;
  private final Options options;
  private final BigQuery bigQuery;
  private final Jobs jobs;
  private volatile String location;
  private volatile boolean lettersPrepared;

  private BigQueryWarehouse(String project, String dataset, Options options, BigQuery bigQuery) {
    this.project = project;
    this.dataset = dataset;
    this.options = options;
    this.bigQuery = bigQuery;
    this.jobs = new Jobs(bigQuery, options.time);
    this.location = options.location;
  }

  /** A dataset with default options. */
  public static BigQueryWarehouse open(String project, String dataset) {
    return open(project, dataset, UnaryOperator.identity());
  }

  /**
   * A dataset. Nothing is asked of BigQuery yet.
   *
   * @throws IllegalArgumentException if a name cannot be one
   * @throws IllegalStateException if this process has no credentials of Google
   */
  public static BigQueryWarehouse open(
      String project, String dataset, UnaryOperator<Options> options) {
    check("project", PROJECT, project);
    check("dataset", DATASET, dataset);
    Options chosen = options.apply(new Options("", "", JOB_ROWS, JOB_BYTES, TimeSource.system()));
    return new BigQueryWarehouse(project, dataset, chosen, client(project, chosen));
  }

  private static void check(String what, Pattern pattern, String name) {
    if (!pattern.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' is no id of a %s; give the id alone".formatted(name, what));
    }
  }

  /** The client does not retry: it would hide that the outcome of a request is unknown. */
  private static BigQuery client(String project, Options options) {
    BigQueryOptions.Builder builder =
        BigQueryOptions.newBuilder()
            .setProjectId(project)
            .setRetrySettings(RetrySettings.newBuilder().setMaxAttempts(1).build())
            .setTransportOptions(
                HttpTransportOptions.newBuilder()
                    .setConnectTimeout((int) CONNECT_MAX.toMillis())
                    .setReadTimeout((int) ANSWER_MAX.toMillis())
                    .build());
    options
        .endpoint()
        .ifPresent(url -> builder.setHost(url).setCredentials(NoCredentials.getInstance()));
    BigQueryOptions built = builder.build();
    if (built.getCredentials() == null) {
      throw new IllegalStateException(
          "There are no credentials for BigQuery in project %s. Log in with gcloud auth application-default login, or have GOOGLE_APPLICATION_CREDENTIALS name the key file of a service account."
              .formatted(project));
    }
    return built.getService();
  }

  /**
   * The statements that create {@code table} and its procedure in a dataset.
   *
   * @param dataset the project and the dataset, with a point between
   */
  public static String ddl(String dataset, Table table) {
    TableSql sql = new TableSql(dataset, table);
    return sql.createTable() + "\n" + sql.createProcedure();
  }

  /** The statements that create the table of dead letters and its procedure in a dataset. */
  public static String deadLetterDdl(String dataset) {
    return ddl(dataset, Letters.TABLE);
  }

  @Override
  public void prepare(Table table, Table.Policy policy) {
    for (int attempt = 1; ; attempt++) {
      try {
        check(table, policy);
        return;
      } catch (BigQueryException problem) {
        boolean passing = Failure.of(problem).kind() == Failure.Kind.PASSING;
        if (!passing || attempt == QUESTIONS_MAX || !paused(attempt)) {
          throw failed("Table '%s' cannot be prepared".formatted(table.name()), problem);
        }
      }
    }
  }

  private boolean paused(int attempt) {
    try {
      QUESTIONS.pause(attempt, options.time);
      return true;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void check(Table table, Table.Policy policy) {
    String unused = location();
    TableShape shape = TableShape.read(bigQuery, project, dataset, table);
    if (policy != Table.Policy.CHECK && !shape.fits()) {
      change(table, shape, policy);
      shape = TableShape.read(bigQuery, project, dataset, table);
    }
    if (!shape.fits()) {
      throw new TableMismatchException(table.name(), shape.differences(), remedy(table));
    }
  }

  private String remedy(Table table) {
    return "Change the table or the mapping, choose Table.Policy.CREATE or EVOLVE, or run:%n%s"
        .formatted(ddl(qualified(), table));
  }

  private void change(Table table, TableShape shape, Table.Policy policy) {
    TableSql sql = new TableSql(qualified(), table);
    boolean evolve = policy == Table.Policy.EVOLVE;
    if (!shape.tableExists()) {
      execute(sql.createTable());
    } else if (evolve) {
      shape.missing().stream()
          .filter(column -> !column.isKey())
          .forEach(column -> execute(sql.addColumn(column)));
    }
    if (!shape.procedureExists() || (evolve && !shape.procedureFits())) {
      execute(sql.createProcedure());
    }
  }

  private void execute(String statement) {
    QueryJobConfiguration query =
        QueryJobConfiguration.newBuilder(statement).setUseLegacySql(false).build();
    JobEnd end = jobs.run(jobId("ddl-" + UUID.randomUUID()), query, STATEMENT_MAX);
    if (!(end instanceof JobEnd.Succeeded)) {
      String reason =
          end instanceof JobEnd.Failed failed ? failed.failure().text() : end.toString();
      throw new IllegalStateException(
          "%s does not execute a statement: %s%n%s".formatted(this, reason, statement));
    }
  }

  private IllegalStateException failed(String what, BigQueryException problem) {
    String remedy =
        problem.getCode() == 401 || problem.getCode() == 403
            ? " The service account needs roles/bigquery.dataEditor on the dataset and roles/bigquery.jobUser on the project."
            : "";
    return new IllegalStateException(
        "%s in %s: %s (%d).%s"
            .formatted(what, this, problem.getMessage(), problem.getCode(), remedy),
        problem);
  }

  @Override
  public MergeOutcome merge(Batch batch) {
    if (batch.position().isPresent() || batch.rows().stream().anyMatch(Row::isDeletion)) {
      return new MergeOutcome.Impossible(
          "%s stores no positions and no deletions; load a source in order into DuckDB or PostgreSQL"
              .formatted(this));
    }
    return merge(batch.table(), batch.job(), batch.rows(), batch.timeLimit());
  }

  /**
   * Merges in parts. The last one has the id of the batch and begins when all others are stored, so
   * that its job tells of all.
   */
  private MergeOutcome merge(Table table, UUID job, List<Row> rows, Duration limit) {
    List<List<RowParameter>> parts;
    try {
      parts =
          Parts.of(
              rows.stream().map(row -> RowParameter.of(table, row)).toList(),
              options.jobRows,
              options.jobBytes);
    } catch (IllegalArgumentException mistake) {
      return new MergeOutcome.Refused(String.valueOf(mistake.getMessage()));
    }
    long deadline = options.time.nanos() + limit.toNanos();
    long changed = 0;
    for (int i = 0; i < parts.size(); i++) {
      boolean last = i == parts.size() - 1;
      String id = last ? job.toString() : "%s-%d".formatted(job, i + 1);
      Duration left = Duration.ofNanos(Math.max(1, deadline - options.time.nanos()));
      switch (jobs.run(jobId(id), call(table, parts.get(i), left), left)) {
        case JobEnd.Succeeded(long rowsChanged) ->
            changed = changed < 0 || rowsChanged < 0 ? -1 : changed + rowsChanged;
        case JobEnd.Unknown(String reason) -> {
          return new MergeOutcome.Unknown(reason);
        }
        case JobEnd.Failed(Failure failure) -> {
          return outcome(table, failure);
        }
      }
    }
    return new MergeOutcome.Merged(changed);
  }

  private QueryJobConfiguration call(Table table, List<RowParameter> rows, Duration limit) {
    return QueryJobConfiguration.newBuilder(new TableSql(qualified(), table).call())
        .setUseLegacySql(false)
        .addNamedParameter(TableSql.ARGUMENT, RowParameter.array(rows))
        .setJobTimeoutMs(Math.max(1, limit.toMillis()))
        .setLabels(Map.of("tidemark", "loader"))
        .build();
  }

  private MergeOutcome outcome(Table table, Failure failure) {
    return switch (failure.kind()) {
      case PASSING -> new MergeOutcome.Unavailable(failure.text());
      case LASTING -> new MergeOutcome.Impossible(failure.text() + " " + advice(failure));
      case DATA -> refused(table, failure);
    };
  }

  private String advice(Failure failure) {
    return failure.reason().equals("notFound") || failure.code() == 404
        ? "Create table and procedure in %s with the statements of --print-ddl.".formatted(this)
        : "The service account needs roles/bigquery.dataEditor on the dataset and roles/bigquery.jobUser on the project.";
  }

  /** A bad query has a bad row in it only if table and procedure are as they should be. */
  private MergeOutcome refused(Table table, Failure failure) {
    try {
      TableShape shape = TableShape.read(bigQuery, project, dataset, table);
      return shape.fits()
          ? new MergeOutcome.Refused(failure.text())
          : new MergeOutcome.Impossible(
              "%s Table '%s' does not fit: %s"
                  .formatted(failure.text(), table.name(), String.join("; ", shape.differences())));
    } catch (BigQueryException problem) {
      return new MergeOutcome.Unavailable(failure.text() + ", and " + problem.getMessage());
    }
  }

  /**
   * A job that BigQuery does not know stays unknown: its request may still arrive. The loader then
   * repeats it under the same id.
   */
  @Override
  public MergeOutcome settle(UUID job) {
    return switch (jobs.look(jobId(job.toString()))) {
      case JobEnd.Succeeded(long changed) -> new MergeOutcome.Merged(changed);
      case JobEnd.Failed failed -> new MergeOutcome.Absent();
      case JobEnd.Unknown(String reason) -> new MergeOutcome.Unknown(reason);
    };
  }

  /** None: a subscription knows itself what is to be delivered. */
  @Override
  public Optional<String> position(String source) {
    return Optional.empty();
  }

  @Override
  public void write(List<DeadLetter> letters) {
    if (!lettersPrepared) {
      prepare(Letters.TABLE, Table.Policy.CREATE);
      lettersPrepared = true;
    }
    MergeOutcome outcome =
        merge(Letters.TABLE, UUID.randomUUID(), Letters.rows(letters), STATEMENT_MAX);
    if (!(outcome instanceof MergeOutcome.Merged)) {
      throw new IllegalStateException(
          "%d dead letters cannot be stored in %s: %s".formatted(letters.size(), this, outcome));
    }
  }

  private JobId jobId(String id) {
    return JobId.newBuilder()
        .setProject(project)
        .setLocation(location())
        .setJob("tidemark-" + id)
        .build();
  }

  /** A job outside the US and the EU is found only where it runs. */
  private String location() {
    String known = location;
    if (known.isEmpty()) {
      @Nullable Dataset found = bigQuery.getDataset(DatasetId.of(project, dataset));
      if (found == null) {
        throw new IllegalStateException(
            "There is no dataset %s in BigQuery. Create it: bq --location=REGION mk --dataset %s:%s"
                .formatted(this, project, dataset));
      }
      String there = found.getLocation();
      known = there == null ? "US" : there;
      location = known;
    }
    return known;
  }

  private String qualified() {
    return project + "." + dataset;
  }

  /** Closes nothing that anybody could notice: requests have connections of their own. */
  @Override
  public void close() {}

  @Override
  public String toString() {
    return qualified();
  }

  /** How a dataset is written to. */
  public static final class Options {
    private final String location;
    private final String endpoint;
    private final int jobRows;
    private final int jobBytes;
    private final TimeSource time;

    private Options(String location, String endpoint, int jobRows, int jobBytes, TimeSource time) {
      this.location = location;
      this.endpoint = endpoint;
      this.jobRows = jobRows;
      this.jobBytes = jobBytes;
      this.time = time;
    }

    /** Where jobs run, such as {@code asia-northeast1}. Default where the dataset is */
    public Optional<String> location() {
      return location.isEmpty() ? Optional.empty() : Optional.of(location);
    }

    /** The URL of another server, spoken to without credentials. Default Google's */
    public Optional<String> endpoint() {
      return endpoint.isEmpty() ? Optional.empty() : Optional.of(endpoint);
    }

    /** Most rows of a job. Default 4,096 */
    public int jobRows() {
      return jobRows;
    }

    /** Most bytes of a job's parameter; a larger row goes alone. Default 900,000 */
    public int jobBytes() {
      return jobBytes;
    }

    /** Where time comes from. Default the machine's clock */
    public TimeSource time() {
      return time;
    }

    /** These options with another location. */
    public Options withLocation(String region) {
      return new Options(region, endpoint, jobRows, jobBytes, time);
    }

    /** These options with another server. */
    public Options withEndpoint(String url) {
      return new Options(location, url, jobRows, jobBytes, time);
    }

    /** These options with other largest jobs. */
    public Options withJobMax(int rows, int bytes) {
      if (rows < 1 || bytes < 1) {
        throw UsageException.invalidOption(
            "A job of %,d rows and %,d bytes at most holds nothing; both must be positive"
                .formatted(rows, bytes));
      }
      return new Options(location, endpoint, rows, bytes, time);
    }

    /** These options with another clock. */
    public Options withTime(TimeSource source) {
      return new Options(location, endpoint, jobRows, jobBytes, source);
    }
  }
}
