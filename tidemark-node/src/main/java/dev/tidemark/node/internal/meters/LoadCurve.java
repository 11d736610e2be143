package dev.tidemark.node.internal.meters;

import java.util.List;

/**
 * What each meter measures: a function of its number and of the count of its readings, so that the
 * audit knows what must have arrived without having been told.
 */
final class LoadCurve {
  /** 2026-11-01T00:00:00+09:00, in seconds since 2000-01-01T00:00:00+09:00. */
  private static final long FIRST = 846_806_400;

  /** A meter reports once a minute of its own time, which passes faster than ours. */
  private static final long STEP = 60;

  private static final int DAY = 86_400;
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

  static long power(long meter, long number) {
    long second = number * STEP % DAY;
    int hour = (int) (second / 3_600);
    long into = second % 3_600;
    long base = (HOURS[hour] * (3_600 - into) + HOURS[(hour + 1) % 24] * into) / 3_600;
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
