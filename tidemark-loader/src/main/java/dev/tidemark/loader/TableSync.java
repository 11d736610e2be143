package dev.tidemark.loader;

import dev.tidemark.changes.ChangeBatch;
import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.DataChange;
import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.Mod;
import dev.tidemark.changes.Position;
import dev.tidemark.changes.ReaderOptions;
import dev.tidemark.changes.ReaderStatistics;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.changes.ResumePoint;
import dev.tidemark.changes.StartAt;
import dev.tidemark.loader.internal.engine.Filling;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a table in step with the records of one type, deletions included, by their change stream.
 *
 * <p>The rows of a batch and the position after them are written in one transaction of the
 * warehouse, which is asked for that position at the start: every change has its effect exactly
 * once. A new warehouse, also one that replaces another, gets all changes that the stream still
 * has. Only one process at a time may fill a table in this way. In {@value Table#MESSAGE_ID} is the
 * place of the change; {@value Table#PUBLISHED_AT} is the same for all rows.
 *
 * <p>A field that the store's schema gets meanwhile becomes a column of the table when the first
 * change with it comes; rows that have not changed since have no value in it. A field that gets
 * another name meanwhile stays in its column.
 *
 * <p>A change that the warehouse refuses, or that has no place in the table, ends the work and is
 * never left out; {@link #endReason} says why. The caller still owns the source, the metadata and
 * the warehouse.
 */
public final class TableSync implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.tidemark.loader");
  private static final int ATTEMPTS_MAX = 5;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration MERGE_MAX = Duration.ofMinutes(10);

  private final Warehouse warehouse;
  private final String run;
  private final Filling filling;
  private final ReaderOptions options;
  private final ChangeReader reader;
  private final AtomicLong changes = new AtomicLong();
  private final ReentrantLock growing = new ReentrantLock();

  /** Replaced under {@link #growing}; batches of several partitions are stored at a time. */
  private volatile Shape shape;

  /** What the table looks like by now. */
  private record Shape(RecordTable declaration, Table table) {
    Shape(RecordTable declaration) {
      this(declaration, declaration.table());
    }
  }

  private TableSync(
      ChangeSource source,
      MetadataStore metadata,
      RecordTable declaration,
      Warehouse warehouse,
      UnaryOperator<ReaderOptions> chosen) {
    Table table = declaration.table();
    this.shape = new Shape(declaration, table);
    this.warehouse = warehouse;
    this.run = "changes/" + source.id() + "/" + table.name();
    this.filling =
        Filling.begin(
            warehouse,
            run,
            "A sync of table '%s' with %s".formatted(table.name(), declaration.typeName()));
    try {
      warehouse.prepare(table, Table.Policy.EVOLVE);
      this.options =
          chosen.apply(
              ReaderOptions.forRun("table/" + table.name() + "/" + readerId())
                  .withStart(StartAt.beginning())
                  .withBatchSize(LoaderOptions.defaults().batchMessages())
                  .withInFlightPerPartition(2 * LoaderOptions.defaults().batchMessages()));
      this.reader = ChangeReader.of(source, metadata, options);
    } catch (RuntimeException | Error failure) {
      filling.close();
      throw failure;
    }
  }

  /**
   * The id of the reader of this warehouse, which the warehouse keeps. Each warehouse has a reader
   * of its own, so that none continues where another one stopped.
   */
  private String readerId() {
    String place = place("reader");
    Optional<String> known = warehouse.position(place);
    if (known.isPresent()) {
      return known.get();
    }
    String id = UUID.randomUUID().toString();
    MergeOutcome outcome =
        warehouse.merge(
            new Batch(
                UUID.randomUUID(), place, shape.table(), List.of(), Optional.of(id), MERGE_MAX));
    if (outcome instanceof MergeOutcome.Merged) {
      return id;
    }
    // Another process may have been the first.
    return warehouse.position(place).orElseThrow(() -> refused(outcome.toString()));
  }

  /** Begins with default options. */
  public static TableSync start(
      ChangeSource source, MetadataStore metadata, RecordTable table, Warehouse warehouse) {
    return start(source, metadata, table, warehouse, UnaryOperator.identity());
  }

  /**
   * Begins to fill the table, which is created if it is missing and gets columns that it lacks. A
   * new table gets all changes that the stream still has.
   *
   * @param source a stream that keeps whole new rows (NEW_ROW or NEW_ROW_AND_OLD_VALUES)
   * @param metadata where the reader keeps its partitions
   * @param options changes those of the reader, whose run is called as the table and the warehouse
   * @throws TableMismatchException if the table does not fit the records, with every difference
   * @throws IllegalStateException if another sync of this process, which is not closed, fills the
   *     table through the same warehouse
   */
  public static TableSync start(
      ChangeSource source,
      MetadataStore metadata,
      RecordTable table,
      Warehouse warehouse,
      UnaryOperator<ReaderOptions> options) {
    TableSync sync = new TableSync(source, metadata, table, warehouse, options);
    try {
      sync.reader.startBatches(sync::merge, sync::position);
      return sync;
    } catch (RuntimeException | Error failure) {
      sync.close();
      throw failure;
    }
  }

  private Optional<ResumePoint> position(String token, long epoch) {
    return warehouse.position(place(token)).map(TableSync::parsed);
  }

  /** The position, and the ids of what was stored at it, a line each. */
  private static String text(ResumePoint point) {
    return point.position() + "\n" + String.join("\n", point.boundary());
  }

  private static ResumePoint parsed(String text) {
    List<String> lines = text.lines().toList();
    return new ResumePoint(
        Position.parse(lines.getFirst()), Set.copyOf(lines.subList(1, lines.size())));
  }

  private String place(String token) {
    return run + "/" + token;
  }

  private void merge(ChangeBatch batch) throws InterruptedException {
    Shape used = shape;
    Optional<List<Row>> rows = rows(batch.changes(), used);
    while (rows.isEmpty()) {
      used = shape;
      rows = rows(batch.changes(), used);
    }
    store(batch.token(), used.table(), rows.get(), batch.resume());
    changes.addAndGet(batch.changes().size());
  }

  /** The rows that a batch leaves in a table of shape {@code used}; none if the table has grown. */
  private Optional<List<Row>> rows(List<DataChange> all, Shape used) {
    Map<List<Object>, Row> rows = new LinkedHashMap<>();
    RecordTable named = used.declaration();
    for (DataChange change : all) {
      if (change.table().equals(used.declaration().typeName())) {
        // Names that changed places show in the numbers alone, which the first change tells.
        if (rows.isEmpty() || !unknown(named, change).isEmpty()) {
          RecordTable other = named.with(RecordChangeSource.columns(change));
          if (!other.hasColumnsOf(named)) {
            grow(change, used);
            return Optional.empty();
          }
          List<String> untyped = unknown(other, change);
          if (!untyped.isEmpty()) {
            throw refused(
                "the fields %s are new, and their types are not known".formatted(untyped));
          }
          named = other;
        }
        for (Mod mod : change.mods()) {
          Row row = row(change, mod, used, named);
          rows.put(row.key(used.table()), row);
        }
      }
    }
    return Optional.of(List.copyOf(rows.values()));
  }

  private static List<String> unknown(RecordTable table, DataChange change) {
    for (Mod mod : change.mods()) {
      List<String> keys = table.unknown(mod.keys().asMap());
      List<String> all = keys.isEmpty() ? table.unknown(mod.newValues().asMap()) : keys;
      if (!all.isEmpty()) {
        return all;
      }
    }
    return List.of();
  }

  /** Gives the table the columns that {@code change} has and {@code used} lacks. */
  private void grow(DataChange change, Shape used) {
    growing.lock();
    try {
      if (!shape.equals(used)) {
        return;
      }
      List<String> unknown = unknown(used.declaration(), change);
      Shape next;
      try {
        next = new Shape(used.declaration().with(RecordChangeSource.columns(change)));
        warehouse.prepare(next.table(), Table.Policy.EVOLVE);
      } catch (IllegalArgumentException | IllegalStateException | TableMismatchException unfit) {
        throw refused(
            "the fields %s are new, and there can be no columns for them: %s"
                .formatted(unknown, unfit.getMessage()),
            unfit);
      }
      LOG.log(
          Level.INFO,
          "Table ''{0}'' has columns for the new fields {1}",
          next.table().name(),
          unknown);
      shape = next;
    } finally {
      growing.unlock();
    }
  }

  private Row row(DataChange change, Mod mod, Shape used, RecordTable named) {
    Message message =
        Message.of(change.position().toString(), Instant.EPOCH, Map.of(), new byte[0]);
    Map<String, @Nullable Object> values = new HashMap<>(mod.keys().asMap());
    if (change.modType().equals(DataChange.ModType.DELETE)) {
      return Row.deletion(message, values(mod, values, named));
    }
    if (!change.captureType().equals(DataChange.CaptureType.NEW_ROW)
        && !change.captureType().equals(DataChange.CaptureType.NEW_ROW_AND_OLD_VALUES)) {
      throw new IllegalStateException(
          "The change stream captures %s, which lacks columns of updated rows; create it with NEW_ROW to fill table '%s' from it"
              .formatted(change.captureType(), used.table().name()));
    }
    values.putAll(mod.newValues().asMap());
    return Row.of(message, values(mod, values, named));
  }

  private @Nullable Object[] values(
      Mod mod, Map<String, @Nullable Object> values, RecordTable named) {
    try {
      return named.row(values);
    } catch (IllegalArgumentException unfit) {
      throw refused(
          "the record with the key %s has no place there: %s"
              .formatted(mod.keys().asMap(), unfit.getMessage()),
          unfit);
    }
  }

  /** Stores a batch once; an unknown outcome is settled by the job's id before another attempt. */
  private void store(String token, Table table, List<Row> rows, ResumePoint behind)
      throws InterruptedException {
    List<String> reasons = new ArrayList<>();
    UUID job = UUID.randomUUID();
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      MergeOutcome outcome =
          warehouse.merge(
              new Batch(job, place(token), table, rows, Optional.of(text(behind)), MERGE_MAX));
      if (outcome instanceof MergeOutcome.Unknown) {
        outcome = warehouse.settle(job);
      }
      switch (outcome) {
        case MergeOutcome.Merged merged -> {
          return;
        }
        case MergeOutcome.Refused(String reason) -> throw refused(reason);
        case MergeOutcome.Impossible(String reason) -> throw refused(reason);
        case MergeOutcome.Unknown(String reason) -> reasons.add(reason);
        case MergeOutcome.Unavailable(String reason) -> {
          reasons.add(reason);
          job = UUID.randomUUID();
        }
        case MergeOutcome.Absent absent -> {
          reasons.add("the job was not stored");
          job = UUID.randomUUID();
        }
      }
      options.time().sleep(PAUSE.multipliedBy(attempt));
    }
    throw refused(String.join("; ", reasons));
  }

  private IllegalStateException refused(String reason) {
    return refused(reason, null);
  }

  private IllegalStateException refused(String reason, @Nullable Throwable cause) {
    return new IllegalStateException(
        "Table '%s' does not take changes of %s: %s. Mend that and start again; nothing is lost meanwhile."
            .formatted(shape.table().name(), shape.declaration().typeName(), reason),
        cause);
  }

  /** How many changes were stored since the start. */
  public long changes() {
    return changes.get();
  }

  /** Numbers of the reader. */
  public ReaderStatistics statistics() {
    return reader.statistics();
  }

  /** Why the work has ended, if it has. */
  public Optional<EndReason> endReason() {
    return reader.endReason();
  }

  /** Waits until the work has ended, for {@code patience} at most. */
  public Optional<EndReason> await(Duration patience) throws InterruptedException {
    return reader.await(patience);
  }

  /** Ends the work at once; what is not stored is stored by the next one. Can be called again. */
  @Override
  public void close() {
    reader.close();
    filling.close();
  }
}
