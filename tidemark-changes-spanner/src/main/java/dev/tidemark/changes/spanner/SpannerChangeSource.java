package dev.tidemark.changes.spanner;

import com.google.cloud.Timestamp;
import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.Dialect;
import com.google.cloud.spanner.Options;
import com.google.cloud.spanner.ReadOnlyTransaction;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.SpannerException;
import com.google.cloud.spanner.Statement;
import dev.tidemark.changes.ChangeRecord;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.ChangeSourceException.Kind;
import dev.tidemark.changes.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A change stream of Spanner. Positions are commit timestamps. */
final class SpannerChangeSource implements ChangeSource {
  private static final Instant LONG_AGO = Instant.EPOCH;
  private static final Duration RETENTION = Duration.ofDays(1);

  /** How far the earliest time may move on before the query of a reader arrives. */
  private static final Duration MARGIN = Duration.ofSeconds(10);

  private static final Duration HEARTBEAT_MIN = Duration.ofMillis(100);
  private static final Duration HEARTBEAT_MAX = Duration.ofMinutes(5);

  private final DatabaseClient client;
  private final SpannerChangesOptions options;
  private final Failures failures;

  SpannerChangeSource(DatabaseClient client, SpannerChangesOptions options) {
    this.client = client;
    this.options = options;
    this.failures = new Failures(options.stream());
  }

  @Override
  public String id() {
    return "spanner/" + options.database().getName() + "/" + options.stream();
  }

  @Override
  public Position now() {
    return SpannerPosition.of(readTime());
  }

  /** The time of a strong read: what is committed later has a later timestamp. */
  private Instant readTime() {
    try (ReadOnlyTransaction read = client.singleUseReadOnlyTransaction();
        ResultSet rows = read.executeQuery(Statement.of("SELECT 1"))) {
      while (rows.next()) {
        // One row, of no interest.
      }
      return SpannerPosition.instant(read.getReadTimestamp());
    } catch (SpannerException failure) {
      throw failures.translated(failure);
    }
  }

  /** Spanner names the earliest time when it is asked for one that is too early. */
  @Override
  public Position earliest() {
    Instant now = readTime();
    Optional<SpannerException> refused = refusalOf(LONG_AGO, now);
    return refused.isEmpty() ? SpannerPosition.of(LONG_AGO) : earliest(refused.get(), now);
  }

  /**
   * The earliest time moves on with the clock once the stream is as old as its retention. The begin
   * of a younger stream stands still: it is accepted when it is asked for, and nothing is left out.
   */
  private Position earliest(SpannerException tooOld, Instant now) {
    Instant named = Failures.earliest(tooOld).orElse(now.minus(RETENTION));
    return SpannerPosition.of(refusalOf(named, now).isEmpty() ? named : named.plus(MARGIN));
  }

  /** Why the first partitions from {@code start} on cannot be had: empty if it is not too old. */
  private Optional<SpannerException> refusalOf(Instant start, Instant now) {
    Query early =
        new Query(
            ROOT,
            SpannerPosition.of(start),
            Optional.of(SpannerPosition.of(now)),
            Duration.ofSeconds(2));
    try (ResultSet rows = query(early, now)) {
      while (rows.next()) {
        // Only whether there is an answer counts.
      }
      return Optional.empty();
    } catch (SpannerException failure) {
      ChangeSourceException known = failures.translated(failure);
      if (known.kind() != Kind.TOO_OLD) {
        throw known;
      }
      return Optional.of(failure);
    }
  }

  @Override
  public Position at(Instant time) {
    return SpannerPosition.of(time);
  }

  @Override
  public Position until(Instant time) {
    return SpannerPosition.of(time);
  }

  @Override
  public Instant timeOf(Position position) {
    return SpannerPosition.time(position);
  }

  @Override
  public int compare(Position first, Position second) {
    return first.compareBytes(second);
  }

  @Override
  public Cursor open(Query query) {
    check(query);
    Instant from = SpannerPosition.time(query.from());
    Instant local = options.time().instant();
    Instant window = (from.isAfter(local) ? from : local).plus(options.window());
    Optional<Instant> until = query.until().map(SpannerPosition::time);
    boolean last = until.isPresent() && !until.get().isAfter(window);
    Instant end = last ? until.get() : window;
    boolean root = query.token().equals(ROOT);
    return new SpannerCursor(
        query.token(),
        () -> query(query, end),
        this::translated,
        root || !last ? End.BROKEN_OFF : End.REACHED_UNTIL,
        options.time());
  }

  private static void check(Query query) {
    Duration heartbeat = query.heartbeat();
    if (heartbeat.compareTo(HEARTBEAT_MIN) < 0 || heartbeat.compareTo(HEARTBEAT_MAX) > 0) {
      throw new ChangeSourceException(
          Kind.INVALID_ARGUMENT,
          "The heartbeat interval is %s; Spanner takes 100 ms to 5 minutes".formatted(heartbeat),
          null);
    }
    query
        .until()
        .filter(until -> query.from().compareBytes(until) > 0)
        .ifPresent(
            until -> {
              throw new ChangeSourceException(
                  Kind.INVALID_ARGUMENT,
                  "The start %s lies behind the end %s"
                      .formatted(SpannerPosition.time(query.from()), SpannerPosition.time(until)),
                  null);
            });
  }

  private ChangeSourceException translated(SpannerException failure) {
    ChangeSourceException known = failures.translated(failure);
    if (known.kind() != Kind.TOO_OLD) {
      return known;
    }
    return ChangeSourceException.tooOld(
        earliest(failure, readTime()), String.valueOf(known.getMessage()));
  }

  private ResultSet query(Query query, Instant end) {
    List<Options.QueryOption> chosen = new ArrayList<>();
    chosen.add(Options.priority(options.priority()));
    options.tag().ifPresent(tag -> chosen.add(Options.tag(tag)));
    return client
        .singleUse()
        .executeQuery(statement(query, end), chosen.toArray(Options.QueryOption[]::new));
  }

  private Statement statement(Query query, Instant end) {
    boolean google = client.getDialect() == Dialect.GOOGLE_STANDARD_SQL;
    String sql =
        google
            ? "SELECT ChangeRecord FROM READ_%s(@p1, @p2, @p3, @p4, NULL)"
            : "SELECT * FROM \"spanner\".\"read_json_%s\"($1, $2, $3, $4, null)";
    String token = query.token();
    Timestamp from = SpannerPosition.timestamp(SpannerPosition.time(query.from()));
    return Statement.newBuilder(sql.formatted(options.stream()))
        .bind("p1")
        .to(from)
        .bind("p2")
        .to(SpannerPosition.timestamp(end))
        .bind("p3")
        .to(token.equals(ROOT) ? null : token)
        .bind("p4")
        .to(query.heartbeat().toMillis())
        .build();
  }

  /** Roughly the memory that {@code record} takes. */
  static int bytes(ChangeRecord record) {
    return switch (record) {
      case dev.tidemark.changes.DataChange change ->
          512 + 256 * (change.columnTypes().size() + change.mods().size());
      case ChangeRecord.Heartbeat heartbeat -> 0;
      case ChangeRecord.ChildPartitions children -> 0;
    };
  }
}
