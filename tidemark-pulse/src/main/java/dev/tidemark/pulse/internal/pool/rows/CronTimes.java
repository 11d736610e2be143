package dev.tidemark.pulse.internal.pool.rows;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The times that a cron expression names, to the minute, in one zone.
 *
 * <p>As in crontab a day fits if its day of month or its day of week does, once both are
 * restricted. Where clocks are set forward, a time in the hour that is left out comes at the moment
 * of the change. Where they are set back, a time in the hour that comes twice comes once, unless
 * the expression names every hour.
 */
final class CronTimes {
  private static final Map<String, String> SHORTHANDS =
      Map.of(
          "@hourly", "0 * * * *",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@weekly", "0 0 * * 0",
          "@monthly", "0 0 1 * *",
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *");

  /** Between two 29th of February lie at most eight years. */
  private static final int DAYS_MAX = 9 * 366;

  private static final int MINUTES_OF_DAY = 24 * 60;

  private final CronField minute;
  private final CronField hour;
  private final CronField day;
  private final CronField month;
  private final CronField weekday;
  private final ZoneId zone;

  private CronTimes(String[] fields, ZoneId zone) {
    this.minute = CronField.parse(CronField.Kind.MINUTE, fields[0]);
    this.hour = CronField.parse(CronField.Kind.HOUR, fields[1]);
    this.day = CronField.parse(CronField.Kind.DAY, fields[2]);
    this.month = CronField.parse(CronField.Kind.MONTH, fields[3]);
    this.weekday = CronField.parse(CronField.Kind.WEEKDAY, fields[4]);
    this.zone = zone;
  }

  /**
   * Reads minute, hour, day of month, month and day of week, or a shorthand like {@code @daily}.
   *
   * @throws IllegalArgumentException if that is not understood
   */
  static CronTimes parse(String expression, ZoneId zone) {
    String trimmed = expression.trim();
    String[] fields =
        SHORTHANDS.getOrDefault(trimmed.toLowerCase(Locale.ROOT), trimmed).split("\\s+", -1);
    if (fields.length != 5) {
      throw new IllegalArgumentException(
          "'%s' is no cron expression: that has a minute, hour, day of month, month and day of week, or is one of %s"
              .formatted(expression, SHORTHANDS.keySet().stream().sorted().toList()));
    }
    return new CronTimes(fields, zone);
  }

  /** The first time behind {@code after}; empty if there is none, as for the 30th of February. */
  Optional<Instant> next(Instant after) {
    ZonedDateTime first = after.atZone(zone).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
    Optional<Instant> ordinary = onSomeDay(first);
    return hour.isOpen() ? ordinary : earlier(ordinary, after);
  }

  private Optional<Instant> onSomeDay(ZonedDateTime first) {
    ZonedDateTime time = first;
    for (int i = 0; i < DAYS_MAX; i++) {
      if (fits(time.toLocalDate())) {
        Optional<Instant> found = onThisDay(time);
        if (found.isPresent()) {
          return found;
        }
      }
      time = time.toLocalDate().plusDays(1).atStartOfDay(zone);
    }
    return Optional.empty();
  }

  /** Goes by real minutes, so that an hour that comes twice is gone through twice. */
  private Optional<Instant> onThisDay(ZonedDateTime first) {
    LocalDate date = first.toLocalDate();
    for (ZonedDateTime time = first; time.toLocalDate().equals(date); time = time.plusMinutes(1)) {
      boolean again = !hour.isOpen() && !time.withEarlierOffsetAtOverlap().equals(time);
      if (hour.allows(time.getHour()) && minute.allows(time.getMinute()) && !again) {
        return Optional.of(time.toInstant());
      }
    }
    return Optional.empty();
  }

  private boolean fits(LocalDate date) {
    boolean fitsDay = day.allows(date.getDayOfMonth());
    boolean fitsWeekday = weekday.allows(date.getDayOfWeek().getValue() % 7);
    boolean either = !day.isOpen() && !weekday.isOpen();
    return month.allows(date.getMonthValue())
        && (either ? fitsDay || fitsWeekday : fitsDay && fitsWeekday);
  }

  /** A change of clocks before {@code found} that leaves out a time of this expression, or it. */
  private Optional<Instant> earlier(Optional<Instant> found, Instant after) {
    Instant end = found.orElse(after.plus(DAYS_MAX, ChronoUnit.DAYS));
    ZoneOffsetTransition change = zone.getRules().nextTransition(after);
    while (change != null && change.getInstant().isBefore(end)) {
      if (change.isGap() && leavesOutATime(change)) {
        return Optional.of(change.getInstant());
      }
      change = zone.getRules().nextTransition(change.getInstant());
    }
    return found;
  }

  private boolean leavesOutATime(ZoneOffsetTransition gap) {
    LocalDateTime time = gap.getDateTimeBefore();
    for (int i = 0; i < MINUTES_OF_DAY && time.isBefore(gap.getDateTimeAfter()); i++) {
      if (fits(time.toLocalDate())
          && hour.allows(time.getHour())
          && minute.allows(time.getMinute())) {
        return true;
      }
      time = time.plusMinutes(1);
    }
    return false;
  }
}
