package dev.tidemark.changes.spanner;

import com.google.cloud.spanner.DatabaseId;
import com.google.cloud.spanner.Options.RpcPriority;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.OptionChecks;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** What {@link SpannerChanges} reads, and how. Immutable. */
public final class SpannerChangesOptions {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,127}");
  private static final int STREAMS_PER_CHANNEL = 100;

  private final DatabaseId database;
  private final String stream;
  private Optional<String> emulator = Optional.empty();
  private Optional<String> role = Optional.empty();
  private Optional<String> tag = Optional.empty();
  private Optional<DatabaseId> metadataDatabase = Optional.empty();
  private String metadataTable = "TidemarkChanges";
  private RpcPriority priority = RpcPriority.HIGH;
  private Duration window = Duration.ofMinutes(30);
  private int partitions = 1_000;
  private TimeSource time = TimeSource.system();

  private SpannerChangesOptions(DatabaseId database, String stream) {
    this.database = database;
    this.stream = stream;
  }

  private SpannerChangesOptions(SpannerChangesOptions other) {
    this(other.database, other.stream);
    emulator = other.emulator;
    role = other.role;
    tag = other.tag;
    metadataDatabase = other.metadataDatabase;
    metadataTable = other.metadataTable;
    priority = other.priority;
    window = other.window;
    partitions = other.partitions;
    time = other.time;
  }

  /**
   * The stream {@code stream} of {@code database}, which is written {@code
   * projects/…/instances/…/databases/…}.
   *
   * @throws UsageException if a name is none of Spanner's
   */
  public static SpannerChangesOptions forStream(String database, String stream) {
    return new SpannerChangesOptions(
        DatabaseId.of(database), checkedName("name of a change stream", stream));
  }

  /** Reads from an emulator at {@code host:port}, in plain text and without credentials. */
  public SpannerChangesOptions withEmulator(String address) {
    SpannerChangesOptions copy = new SpannerChangesOptions(this);
    copy.emulator = Optional.of(address);
    return copy;
  }

  /** Reads the stream in this database role. Metadata are kept without it. */
  public SpannerChangesOptions withDatabaseRole(String name) {
    SpannerChangesOptions copy = new SpannerChangesOptions(this);
    copy.role = Optional.of(name);
    return copy;
  }

  /** Tags each query, so that operators find it in Spanner's statistics. */
  public SpannerChangesOptions withRequestTag(String text) {
    SpannerChangesOptions copy = new SpannerChangesOptions(this);
    copy.tag = Optional.of(text);
    return copy;
  }

  /** The priority of the queries; {@code HIGH} by default. */
  public SpannerChangesOptions withPriority(RpcPriority value) {
    SpannerChangesOptions copy = new SpannerChangesOptions(this);
    copy.priority = value;
    return copy;
  }

  /** Keeps metadata in another database than the stream's. */
  public SpannerChangesOptions withMetadataDatabase(String name) {
    SpannerChangesOptions copy = new SpannerChangesOptions(this);
    copy.metadataDatabase = Optional.of(DatabaseId.of(name));
    return copy;
  }

  /** The name of the metadata's table, and the beginning of the names of two more. */
  public SpannerChangesOptions withMetadataTable(String name) {
    SpannerChangesOptions copy = new SpannerChangesOptions(this);
    copy.metadataTable = checkedName("name of a table", name);
    return copy;
  }

  /**
   * How long one query lasts; 30 minutes by default. The client ends any query after an hour.
   *
   * @throws UsageException if it is not from 1 second to 55 minutes
   */
  public SpannerChangesOptions withQueryWindow(Duration value) {
    OptionChecks.between("queryWindow", value, Duration.ofSeconds(1), Duration.ofMinutes(55));
    SpannerChangesOptions copy = new SpannerChangesOptions(this);
    copy.window = value;
    return copy;
  }

  /**
   * How many partitions are read at a time by this process; 1,000 by default. Connections are
   * opened for this number of partitions; the query of one more would wait for one without an
   * error. An order over all partitions reads all of them, and needs as many here.
   *
   * @throws UsageException if it is not from 1 to 20,000
   */
  public SpannerChangesOptions withPartitions(int most) {
    OptionChecks.between("partitions", most, 1, 20_000);
    SpannerChangesOptions copy = new SpannerChangesOptions(this);
    copy.partitions = most;
    return copy;
  }

  /** Where the time comes from, for tests. */
  public SpannerChangesOptions withTime(TimeSource source) {
    SpannerChangesOptions copy = new SpannerChangesOptions(this);
    copy.time = source;
    return copy;
  }

  private static String checkedName(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw UsageException.invalidOption(
          "'%s' is no %s: a letter comes first, then letters, digits and underscores"
              .formatted(name, what));
    }
    return name;
  }

  DatabaseId database() {
    return database;
  }

  String stream() {
    return stream;
  }

  Optional<String> emulator() {
    return emulator;
  }

  Optional<String> role() {
    return role;
  }

  Optional<String> tag() {
    return tag;
  }

  DatabaseId metadataDatabase() {
    return metadataDatabase.orElse(database);
  }

  String metadataTable() {
    return metadataTable;
  }

  RpcPriority priority() {
    return priority;
  }

  Duration window() {
    return window;
  }

  int partitions() {
    return partitions;
  }

  TimeSource time() {
    return time;
  }

  /** Enough connections for the partitions, with some to spare for metadata. */
  int channels() {
    return Math.min(
        256, Math.max(4, (partitions * 5 / 4 + STREAMS_PER_CHANNEL) / STREAMS_PER_CHANNEL));
  }
}
