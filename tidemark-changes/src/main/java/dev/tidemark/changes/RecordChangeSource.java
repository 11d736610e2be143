package dev.tidemark.changes;

import dev.tidemark.changes.internal.records.LogAccess;
import dev.tidemark.changes.internal.records.LogListener;
import dev.tidemark.kv.Database;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.changes.ChangeColumn;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangePosition;
import dev.tidemark.records.schema.RecordType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A change stream of a record space. Positions are versionstamps with a sequence: no two changes
 * share one, so nothing is delivered twice after an orderly stop.
 *
 * <p>An idle store moves its versions on once a heartbeat interval, by a commit that changes
 * nothing.
 */
public final class RecordChangeSource implements ChangeSource {
  private final Database database;
  private final ChangeLog log;
  private final LogAccess access;
  private final String id;

  private RecordChangeSource(
      RecordSpace space, String stream, LogListener listener, AtomicLong tickedNanos) {
    this.database = space.database();
    this.log = space.changes().log(stream);
    this.id = "records/" + stream;
    this.access =
        new LogAccess(
            database, log, listener, tickedNanos, () -> new RecordTranslation(log)::translated);
  }

  /**
   * The stream {@code stream} of {@code space}.
   *
   * @throws dev.tidemark.records.changes.ChangeLogException if the space has no such stream
   */
  public static RecordChangeSource of(RecordSpace space, String stream) {
    return of(
        space,
        stream,
        new LogListener(space.database(), 1),
        new AtomicLong(space.database().time().nanos()));
  }

  /** The same for one of several streams that share a listener and the tick of an idle database. */
  static RecordChangeSource of(
      RecordSpace space, String stream, LogListener listener, AtomicLong tickedNanos) {
    return new RecordChangeSource(space, stream, listener, tickedNanos);
  }

  /** The record after {@code change}, if the stream captures whole rows. */
  public static <R> Optional<R> newRecord(DataChange change, RecordType<R> type) {
    return origin(change).flatMap(each -> each.newRecord(type));
  }

  /** The record before {@code change}, if the stream captures it whole. */
  public static <R> Optional<R> oldRecord(DataChange change, RecordType<R> type) {
    return origin(change).flatMap(each -> each.oldRecord(type));
  }

  /**
   * The fields that {@code change} speaks of with their types, as the store's schema has them; none
   * if it is no change of a record store. A program that was built for an older schema learns from
   * them what has been added.
   */
  public static List<ChangeColumn> columns(DataChange change) {
    return origin(change).map(each -> each.columns()).orElse(List.of());
  }

  private static Optional<dev.tidemark.records.changes.DataChange> origin(DataChange change) {
    return change
        .mods()
        .getFirst()
        .keys()
        .origin()
        .map(dev.tidemark.records.changes.DataChange.class::cast);
  }

  /**
   * Where a run that began at {@code from} asks for the first partitions. A stream that is younger
   * than the run has lost nothing: it begins with its first change.
   */
  Position firstFrom(Position from) {
    return access.translated(
        () -> {
          ChangePosition asked = access.position(from);
          ChangePosition earliest = log.earliest();
          // The end of what was removed is a whole version, the begin of a stream is not.
          boolean complete = asked.equals(ChangePosition.START) || !earliest.isWholeVersion();
          return complete && asked.compareTo(earliest) < 0 ? access.position(earliest) : from;
        });
  }

  Database database() {
    return database;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public Position earliest() {
    return access.translated(() -> access.position(log.earliest()));
  }

  @Override
  public Position now() {
    return access.translated(() -> access.position(log.now()));
  }

  @Override
  public Position at(Instant time) {
    return access.translated(() -> access.position(log.at(time)));
  }

  @Override
  public Position until(Instant time) {
    return access.translated(
        () -> access.position(ChangePosition.behind(database.versionAt(time))));
  }

  @Override
  public Instant timeOf(Position position) {
    return access.timeOf(access.position(position));
  }

  @Override
  public int compare(Position first, Position second) {
    return first.compareBytes(second);
  }

  @Override
  public void keep(String reader, Position position, Duration time) {
    access.translated(
        () -> {
          log.pin(reader, access.position(position), time);
          return true;
        });
  }

  @Override
  public Cursor open(Query query) {
    return access.open(query);
  }
}
