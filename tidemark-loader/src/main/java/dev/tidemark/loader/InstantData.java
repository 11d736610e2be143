package dev.tidemark.loader;

import dev.tidemark.loader.internal.mapping.Conversion;
import java.time.Duration;
import java.time.Instant;

/**
 * Measurements of instantaneous power, as the attributes of messages: {@code point_id}, {@code
 * power} in watts and {@code timestamp} in seconds since 2000-01-01T00:00:00+09:00.
 *
 * <p>They go to a table with the columns {@code point_id}, {@code measured_at} and {@code power},
 * whose key is the first two. Power is a whole number of 64 bits, negative where a meter feeds in.
 * A time is digits only, not negative, and at most a day after the publication. Everything else is
 * a dead letter, never a row with a 0 in it. Body and other attributes are ignored.
 */
public final class InstantData {
  /** 2000-01-01T00:00:00+09:00 in seconds since 1970-01-01T00:00:00Z. */
  public static final long EPOCH_UNIX_SECONDS = 946_652_400L;

  /** The table's name where no other is given. */
  public static final String TABLE = "instant_data";

  private static final int DIGITS_MAX = 18;
  private static final Duration FUTURE_MAX = Duration.ofDays(1);

  private InstantData() {}

  /** The mapping to the table {@value #TABLE}. */
  public static TableMapping mapping() {
    return mapping(TABLE);
  }

  /** The mapping to a table of another name. */
  public static TableMapping mapping(String table) {
    return TableMapping.table(table)
        .attribute("point_id", ColumnType.TEXT, Table.Role.KEY)
        .computed("measured_at", ColumnType.TIMESTAMP, Table.Role.KEY, InstantData::measuredAt)
        .attribute("power", ColumnType.INTEGER, Table.Role.REQUIRED)
        .build();
  }

  private static Instant measuredAt(Message message) {
    String text = message.attributes().get("timestamp");
    if (text == null || text.isBlank()) {
      throw new IllegalArgumentException("missing timestamp");
    }
    if (text.length() > DIGITS_MAX || !Conversion.isDigits(text, 0)) {
      throw new IllegalArgumentException(
          "timestamp is '%s'; it is seconds since 2000-01-01T00:00:00+09:00, 1 to 18 digits 0 to 9"
              .formatted(text));
    }
    long seconds = Long.parseLong(text);
    long latest = message.publishedAt().plus(FUTURE_MAX).getEpochSecond() - EPOCH_UNIX_SECONDS;
    if (seconds > latest) {
      throw new IllegalArgumentException(
          "timestamp is %s, more than a day after the publication at %s"
              .formatted(text, message.publishedAt()));
    }
    return Instant.ofEpochSecond(EPOCH_UNIX_SECONDS + seconds);
  }
}
