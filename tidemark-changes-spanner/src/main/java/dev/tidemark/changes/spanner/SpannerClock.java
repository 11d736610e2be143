package dev.tidemark.changes.spanner;

import com.google.cloud.spanner.DatabaseClient;
import com.google.cloud.spanner.ResultSet;
import com.google.cloud.spanner.Statement;
import dev.tidemark.kv.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Spanner's time: asked for once a minute, and told on by the machine's nanoseconds. */
final class SpannerClock {
  private static final long KNOWN_FOR_NANOS = Duration.ofMinutes(1).toNanos();

  private final DatabaseClient client;
  private final TimeSource time;
  private volatile @Nullable Reading latest;

  /** What Spanner said, and when. */
  private record Reading(Instant time, long nanos) {}

  SpannerClock(DatabaseClient client, TimeSource time) {
    this.client = client;
    this.time = time;
  }

  /** Asks Spanner if that was long ago. Not within a transaction, where the client refuses it. */
  void refresh() {
    Reading known = latest;
    if (known == null || time.nanos() - known.nanos() > KNOWN_FOR_NANOS) {
      latest = ask();
    }
  }

  Instant now() {
    Reading known = latest;
    if (known == null) {
      known = ask();
      latest = known;
    }
    return known.time().plusNanos(time.nanos() - known.nanos()).truncatedTo(ChronoUnit.MICROS);
  }

  private Reading ask() {
    long nanos = time.nanos();
    try (ResultSet rows =
        client.singleUse().executeQuery(Statement.of("SELECT CURRENT_TIMESTAMP"))) {
      if (!rows.next()) {
        throw new IllegalStateException("Spanner did not tell its time");
      }
      return new Reading(SpannerPosition.instant(rows.getTimestamp(0)), nanos);
    }
  }
}
