package dev.tidemark.records.internal.statistics;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import java.util.Optional;

/**
 * Alternates between reading a few rows and jumping over some. The store counts the keys of a jump,
 * so the length of every gap is known; the only error are values that begin and end in gaps. A jump
 * costs nearly as much as reading, so this walk is for medium sizes.
 */
final class CountedWalk implements Walk {
  private static final int STRETCH = 32;

  private final SampledRows rows;
  private final Key end;
  private final double gap;
  private long steps;

  // Of all that was read: a record can have several keys.
  private long keys;
  private long records;

  CountedWalk(SampledRows rows, Key end, double rate) {
    this.rows = rows;
    this.end = end;
    this.gap = STRETCH / rate - STRETCH;
  }

  @Override
  public Key step(KeySketch sketch, Key from) {
    long before = sketch.read();
    Key at = rows.read(sketch, KeyRange.of(from, end), STRETCH);
    if (at.equals(end)) {
      return end;
    }
    keys += STRETCH;
    records += sketch.read() - before;
    long jump = Math.round(gap * (0.5 + Walk.turn(++steps)));
    KeyRange rest = KeyRange.of(at, end);
    Optional<Key> next = rows.jump(rest, jump);
    if (next.isEmpty()) {
      return rows.read(sketch, rest, Long.MAX_VALUE);
    }
    sketch.skip((double) jump * records / keys);
    return next.get();
  }
}
