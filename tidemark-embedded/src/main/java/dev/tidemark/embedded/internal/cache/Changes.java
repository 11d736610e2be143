package dev.tidemark.embedded.internal.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects what a group of commits writes, for the caches of rows, scans and gaps. */
public final class Changes {
  /** A cleared range with so many keys becomes a gap of its own. */
  private static final int KEYS_OF_A_GAP = 32;

  private final RowCache rows;
  private final ScanCache scans;
  private final Gaps gaps;
  private final Consumer<byte[]> cleared;
  private final List<byte[]> sets = new ArrayList<>();

  /** The values of {@link #sets}. */
  private final List<byte @Nullable []> values = new ArrayList<>();

  private final List<byte[]> clears = new ArrayList<>();
  private final List<byte[]> gone = new ArrayList<>();
  private final List<Range> ranges = new ArrayList<>();
  private final List<Range> empty = new ArrayList<>();

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Range(byte[] begin, byte[] end, boolean large) {}

  /** Changes for {@code rows}, {@code scans} and {@code gaps}. */
  public Changes(RowCache rows, ScanCache scans, Gaps gaps, Consumer<byte[]> cleared) {
    this.rows = rows;
    this.scans = scans;
    this.gaps = gaps;
    this.cleared = cleared;
  }

  /**
   * A key that has another value, or none any more. Where one key is passed several times, the last
   * counts.
   *
   * @param value the value, which does not change any more; null for none
   */
  public void written(byte[] key, byte @Nullable [] value) {
    sets.add(key);
    values.add(value);
  }

  /** A key that has no value any more, unless it is also {@link #written}. */
  public void cleared(byte[] key) {
    clears.add(key);
  }

  /** All keys of a range have no value any more, unless they are also {@link #written}. */
  public void cleared(byte[] begin, byte[] end) {
    ranges.add(new Range(begin, end, true));
  }

  /** The same, where the {@code keys} are all that had one. */
  public void cleared(byte[] begin, byte[] end, List<byte[]> keys) {
    gone.addAll(keys);
    empty.add(new Range(begin, end, keys.size() >= KEYS_OF_A_GAP));
  }

  /**
   * Passes all changes on to the caches, as of {@code version}, which is not published yet.
   *
   * @param carriedOut whether all of the group was written; if not, any part may have been
   */
  public void tell(long version, boolean carriedOut) {
    scans.writing(version);
    gaps.writing(version);
    // Of a key that was set and is in a cleared range it is not known which of the two was last.
    boolean known = carriedOut && ranges.isEmpty();
    for (int i = 0; i < sets.size(); i++) {
      tellCaches(sets.get(i), known ? values.get(i) : null, version);
    }
    clears.forEach(key -> tellCaches(key, null, version));
    gone.forEach(key -> tellCaches(key, null, version));
    for (Range range : ranges) {
      rows.cleared(range.begin(), range.end(), version);
      scans.cleared(range.begin(), range.end(), version);
    }
    if (carriedOut) {
      tellGaps(version);
    }
    sets.forEach(gaps::set);
    sets.clear();
    values.clear();
    clears.clear();
    gone.clear();
    ranges.clear();
    empty.clear();
  }

  private void tellCaches(byte[] key, byte @Nullable [] value, long version) {
    rows.written(key, value, version);
    scans.written(key, version);
  }

  private void tellGaps(long version) {
    for (byte[] key : clears) {
      gaps.extended(key, Gaps.after(key), version);
      cleared.accept(key);
    }
    for (Range range : ranges) {
      gaps.cleared(range.begin(), range.end(), version);
    }
    for (Range range : empty) {
      if (range.large()) {
        gaps.cleared(range.begin(), range.end(), version);
      } else {
        gaps.extended(range.begin(), range.end(), version);
      }
    }
  }
}
