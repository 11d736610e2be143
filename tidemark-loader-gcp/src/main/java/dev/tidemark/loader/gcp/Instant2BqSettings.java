package dev.tidemark.loader.gcp;

import dev.tidemark.loader.InstantData;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.TimeBudget;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What {@link Instant2Bq} reads and writes, from the environment of its process. */
public final class Instant2BqSettings {
  /** The dataset's name where no other is given. */
  public static final String DATASET = "instant";

  /** A run needs this much time. */
  static final Duration BUDGET_MIN = Duration.ofSeconds(10);

  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");
  private static final Pattern HOST_AND_PORT = Pattern.compile("\\S+:[0-9]{1,5}");
  private static final Pattern URL = Pattern.compile("https?://[^/\\s]\\S*");
  private static final int BUDGET_SECONDS = 300;
  private static final int IDLE_SECONDS = 6;
  private static final int IDLE_SECONDS_MAX = 60;
  private static final int BUDGET_SECONDS_MAX = 1_750;

  private final Map<String, String> environment;
  private final String project;
  private final String subscription;
  private final int concurrentMessages;
  private final TimeBudget budget;
  private final Duration idle;

  private Instant2BqSettings(Map<String, String> environment) {
    this.environment = environment;
    this.project = required("PROJECT_ID", "the id of the Google Cloud project");
    this.subscription = required("SUBSCRIPTION_ID", "the id of a pull subscription");
    this.concurrentMessages =
        number("CONCURRENT_MESSAGES", BigQueryWarehouse.JOB_ROWS, 1, BigQueryWarehouse.JOB_ROWS);
    this.budget =
        TimeBudget.of(
            Duration.ofSeconds(
                number(
                    "TIME_BUDGET_SECONDS",
                    BUDGET_SECONDS,
                    (int) BUDGET_MIN.toSeconds(),
                    BUDGET_SECONDS_MAX)));
    this.idle = Duration.ofSeconds(number("IDLE_SECONDS", IDLE_SECONDS, 1, IDLE_SECONDS_MAX));
    check("PUBSUB_EMULATOR_HOST", HOST_AND_PORT, "host and port, such as 127.0.0.1:8085");
    check("BIGQUERY_EMULATOR_HOST", URL, "a URL, such as http://127.0.0.1:9050");
  }

  /**
   * The settings that these variables make.
   *
   * @throws IllegalArgumentException if one is missing or malformed, naming it
   */
  public static Instant2BqSettings of(Map<String, String> environment) {
    return new Instant2BqSettings(Map.copyOf(environment));
  }

  private String required(String variable, String what) {
    String value = environment.getOrDefault(variable, "");
    if (value.isBlank()) {
      throw new IllegalArgumentException("%s is not set; it is %s".formatted(variable, what));
    }
    return value;
  }

  private void check(String variable, Pattern pattern, String what) {
    optional(variable)
        .filter(value -> !pattern.matcher(value).matches())
        .ifPresent(
            value -> {
              throw new IllegalArgumentException(
                  "%s is '%s'; it is %s, and not set where there is no emulator"
                      .formatted(variable, value, what));
            });
  }

  private int number(String variable, int otherwise, int least, int most) {
    String value = environment.get(variable);
    if (value == null) {
      return otherwise;
    }
    int number = DIGITS.matcher(value).matches() ? Integer.parseInt(value) : -1;
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          "%s is '%s'; it is a whole number from %d to %d, digits 0 to 9 only, and %d if it is not set"
              .formatted(variable, value, least, most, otherwise));
    }
    return number;
  }

  /** PROJECT_ID: the project of subscription and dataset. */
  public String project() {
    return project;
  }

  /** SUBSCRIPTION_ID: the pull subscription. */
  public String subscription() {
    return subscription;
  }

  /** CONCURRENT_MESSAGES: most messages of a batch, 1 to 4,096. Default 4,096 */
  public int concurrentMessages() {
    return concurrentMessages;
  }

  /** TIME_BUDGET_SECONDS: how long a run may take, 10 to 1,750. Default 300 */
  public TimeBudget budget() {
    return budget;
  }

  /** IDLE_SECONDS: after how long without a message a run ends, 1 to 60. Default 6 */
  public Duration idle() {
    return idle;
  }

  /** DATASET_ID: the dataset. Default {@value #DATASET} */
  public String dataset() {
    return environment.getOrDefault("DATASET_ID", DATASET);
  }

  /** TABLE_ID: the table. Default {@value InstantData#TABLE} */
  public String table() {
    return environment.getOrDefault("TABLE_ID", InstantData.TABLE);
  }

  /** TABLE_POLICY: what happens to a table that is missing: check or create. Default check */
  public Table.Policy tablePolicy() {
    return switch (environment.getOrDefault("TABLE_POLICY", "check")) {
      case "check" -> Table.Policy.CHECK;
      case "create" -> Table.Policy.CREATE;
      default ->
          throw new IllegalArgumentException(
              "TABLE_POLICY is '%s'; it is check or create"
                  .formatted(environment.get("TABLE_POLICY")));
    };
  }

  /** BIGQUERY_LOCATION: where jobs run. Default where the dataset is, which takes a question */
  public Optional<String> location() {
    return optional("BIGQUERY_LOCATION");
  }

  /** PUBSUB_EMULATOR_HOST: host and port of an emulator. Default none */
  public Optional<String> pubSubEmulator() {
    return optional("PUBSUB_EMULATOR_HOST");
  }

  /** BIGQUERY_EMULATOR_HOST: the URL of an emulator. Default none */
  public Optional<String> bigQueryEmulator() {
    return optional("BIGQUERY_EMULATOR_HOST");
  }

  private Optional<String> optional(String variable) {
    return Optional.ofNullable(environment.get(variable)).filter(value -> !value.isBlank());
  }
}
