package dev.tidemark.node.internal.meters;

import java.util.List;

/**
 * What each meter measures: a function of its number and of the count of its readings, so that the
 * audit knows what must have arrived without having been told. A day has a morning and an evening
 * peak; at weekends the morning begins later.
 */
final class LoadCurve {
  /** 2026-11-02T00:00:00+09:00, a Monday, in seconds since 2000-01-01T00:00:00+09:00. */
  private static final long FIRST = 846_892_800;

  /** A meter reports every five minutes of its own time, which passes faster than ours. */
  private static final long STEP = 300;

  private static final int HOUR = 3_600;
  private static final int DAY = 24 * HOUR;
  private static final int WEEK = 7;

  /** How much later everything happens on a Saturday or a Sunday, in hours. */
  private static final int WEEKEND_DELAY = 2;

  private static final List<String> AREAS =
      List.of("harbour", "hill", "market", "mill", "old town");

  /** Watts at each hour of a day, before a meter's own share and noise. */
  private static final int[] HOURS = {
    260, 230, 220, 215, 220, 260, 420, 620, 560, 450, 420, 430, 470, 440, 410, 430, 520, 740, 930,
    980, 900, 720, 500, 340
  };

  private LoadCurve() {}

  static String area(long meter) {
    return AREAS.get((int) (meter % AREAS.size()));
  }

  static List<String> areas() {
    return AREAS;
  }

  /** When the reading with {@code number} is taken. */
  static long timestamp(long number) {
    return FIRST + number * STEP;
  }

  /** The number of the reading that is taken at {@code timestamp}. */
  static long number(long timestamp) {
    return (timestamp - FIRST) / STEP;
  }

  /** The day of {@code timestamp}, counted from 2000-01-01, in the time zone of the meters. */
  static long day(long timestamp) {
    return timestamp / DAY;
  }

  /** The minute of its day that {@code timestamp} is in. */
  static int minute(long timestamp) {
    return (int) (timestamp % DAY / 60);
  }

  /** The energy, in watt-hours, of readings that add up to {@code watts}. */
  static long energy(long watts) {
    return watts * STEP / HOUR;
  }

  static long power(long meter, long number) {
    long timestamp = timestamp(number);
    // 2000-01-01 was a Saturday.
    int delay = day(timestamp) % WEEK <= 1 ? WEEKEND_DELAY : 0;
    int hour = Math.floorMod(timestamp % DAY / HOUR - delay, HOURS.length);
    long into = timestamp % HOUR;
    long base = (HOURS[hour] * (HOUR - into) + HOURS[(hour + 1) % HOURS.length] * into) / HOUR;
    long noise = Long.remainderUnsigned(mix(meter * 0x9e3779b97f4a7c15L + number), 200) - 100;
    long peak = Long.remainderUnsigned(mix(meter + number * 31), 997) == 0 ? 1_500 : 0;
    return base * (50 + Long.remainderUnsigned(mix(meter), 100)) / 100 + noise + peak;
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
