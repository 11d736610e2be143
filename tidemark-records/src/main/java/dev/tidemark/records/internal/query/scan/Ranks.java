package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.index.Places;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/*
 * The counts of a group are changed by all who write to it, so they are read without conflicts. What was
 * passed over depends on the entries from the near end of the range up to the last one that was counted,
 * and on nothing else; as if they had been read, a transaction conflicts with who adds or removes one.
 */

/**
 * Skips entries of an index of kind RANK by counting instead of reading them, with the ranks of
 * each group.
 */
public final class Ranks {
  /** A skip of more entries is a count of all. */
  private static final long FAR = 1L << 40;

  private final int prefix;
  private final int groupColumns;
  private final Function<Tuple, Places> groups;
  private final Consumer<KeyRange> counted;

  /**
   * Passes over entries.
   *
   * @param prefix how many bytes keys have before their columns
   * @param groupColumns how many columns are the group
   * @param groups the places in a group, read without conflicts
   * @param counted gets the range that would have been read
   */
  public Ranks(
      int prefix, int groupColumns, Function<Tuple, Places> groups, Consumer<KeyRange> counted) {
    this.prefix = prefix;
    this.groupColumns = groupColumns;
    this.groups = groups;
    this.counted = counted;
  }

  /**
   * The entries that were skipped.
   *
   * @param entries how many entries
   * @param last the last of them; empty if there are none
   */
  record Passed(long entries, Optional<Key> last) {}

  /** Skips up to {@code most} entries of {@code span}, which is in one group. */
  Passed pass(Span span, boolean reverse, long most) {
    if (span.isEmpty()) {
      return new Passed(0, Optional.empty());
    }
    Passed passed = count(span, reverse, most);
    KeyRange all = span.range();
    counted.accept(
        passed
            .last()
            .filter(last -> passed.entries() == most)
            .map(
                last ->
                    reverse ? KeyRange.of(last, all.end()) : KeyRange.of(all.begin(), last.next()))
            .orElse(all));
    return passed;
  }

  private Passed count(Span span, boolean reverse, long most) {
    byte[] begin = span.begin();
    int behind = Packed.end(begin, prefix, groupColumns);
    Places places = groups.apply(Tuple.unpack(Arrays.copyOfRange(begin, prefix, behind)));
    long near = places.before(behind(reverse ? span.end() : begin, behind));
    Optional<Key> landing = most < FAR ? places.at(landing(near, reverse, most)) : Optional.empty();
    if (landing.filter(span::contains).isPresent()) {
      return new Passed(most, landing);
    }
    long far = places.before(behind(reverse ? begin : span.end(), behind));
    long entries = Math.min(most, Math.abs(far - near));
    return entries == 0
        ? new Passed(0, Optional.empty())
        : new Passed(entries, places.at(landing(near, reverse, entries)));
  }

  private static byte[] behind(byte[] key, int group) {
    return Arrays.copyOfRange(key, group, key.length);
  }

  /** The place of the last of {@code entries} that come behind {@code near} others. */
  private static long landing(long near, boolean reverse, long entries) {
    return reverse ? near - entries : near + entries - 1;
  }
}
