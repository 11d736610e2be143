package dev.tidemark.records.internal.query.scan;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.query.condition.Bindings;
import dev.tidemark.records.internal.query.condition.Operand;
import dev.tidemark.records.internal.query.plan.Access;
import dev.tidemark.records.internal.query.plan.Access.Leading;
import dev.tidemark.records.internal.query.plan.Access.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/*
 * The rest of a key, behind its packed columns, never begins with ff. So a packed value is the first key with that
 * value, and the packed value with ff appended is the first key with a later one. No "next value" is needed, which
 * some types do not have.
 */

/** Converts an access and the values of one call to ranges of keys. */
public final class AccessRanges {
  private static final byte[] BEGIN = {};
  private static final byte[] LAST = {Packed.END};
  private static final byte[] BEHIND_NULL = {0, Packed.END};

  private final KeyLayout layout;

  /** For each leading column its packed values in order; null where it can be any. */
  private final List<byte @Nullable [][]> leading;

  /** Where keys begin and end behind the leading columns. */
  private final byte[] low;

  private final byte[] high;

  private AccessRanges(
      KeyLayout layout, List<byte @Nullable [][]> leading, byte[] low, byte[] high) {
    this.layout = layout;
    this.leading = leading;
    this.low = low;
    this.high = high;
  }

  public static AccessRanges of(KeyLayout layout, Access access, Bindings bindings) {
    List<byte @Nullable [][]> leading = new ArrayList<>();
    for (Leading column : access.leading()) {
      leading.add(choices(layout, leading.size(), column, bindings));
    }
    byte[][] ends =
        access.range() instanceof Range.All
            ? new byte[][] {BEGIN, LAST}
            : ends(layout, leading.size(), access.range(), bindings);
    return new AccessRanges(layout, leading, ends[0], ends[1]);
  }

  private static byte @Nullable [][] choices(
      KeyLayout layout, int place, Leading column, Bindings bindings) {
    return switch (column) {
      case Leading.Equal(Operand operand) ->
          choices(layout, place, Arrays.asList(bindings.element(operand)));
      case Leading.EachOf(Operand operands) -> choices(layout, place, bindings.list(operands));
      case Leading.Null() -> new byte[][] {layout.pack(place, null)};
      case Leading.Any() -> null;
    };
  }

  /** Nothing is equal to null. */
  private static byte[][] choices(KeyLayout layout, int place, List<?> elements) {
    TreeSet<byte[]> packed = new TreeSet<>(Arrays::compareUnsigned);
    for (Object element : elements) {
      if (element != null) {
        packed.add(layout.pack(place, element));
      }
    }
    return packed.toArray(byte[][]::new);
  }

  private static byte[][] ends(KeyLayout layout, int place, Range range, Bindings bindings) {
    boolean descending = layout.isDescending(place);
    byte[] low = descending ? BEGIN : BEHIND_NULL;
    byte[] high = descending ? layout.pack(place, null) : LAST;
    switch (range) {
      case Range.All all -> throw new AssertionError(all);
      case Range.NotNull notNull -> {}
      case Range.Prefix(Operand operand) -> {
        return startingWith((String) bindings.element(operand), descending);
      }
      case Range.Between(List<Range.Bound> lower, List<Range.Bound> upper) -> {
        // In a descending column the larger values come first, so that the bounds change places.
        for (Range.Bound bound : descending ? upper : lower) {
          low = later(low, begin(layout, place, bound, bindings));
        }
        for (Range.Bound bound : descending ? lower : upper) {
          high = earlier(high, end(layout, place, bound, bindings));
        }
      }
    }
    return new byte[][] {low, high};
  }

  private static byte[] begin(KeyLayout layout, int place, Range.Bound bound, Bindings bindings) {
    Object element = bindings.element(bound.operand());
    if (element == null) {
      return LAST;
    }
    byte[] packed = layout.pack(place, element);
    return bound.inclusive() ? packed : Packed.concat(packed, Packed.END);
  }

  private static byte[] end(KeyLayout layout, int place, Range.Bound bound, Bindings bindings) {
    Object element = bindings.element(bound.operand());
    if (element == null) {
      return BEGIN;
    }
    byte[] packed = layout.pack(place, element);
    return bound.inclusive() ? Packed.concat(packed, Packed.END) : packed;
  }

  private static byte[] later(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) >= 0 ? one : other;
  }

  private static byte[] earlier(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) <= 0 ? one : other;
  }

  /** A packed text ends with a terminator, which longer texts do not have there. */
  private static byte[][] startingWith(@Nullable String text, boolean descending) {
    if (text == null) {
      return new byte[][] {LAST, BEGIN};
    }
    byte[] stem = withoutLast(Tuple.of(text).pack());
    if (descending) {
      stem = withoutLast(Tuple.of((Object) KeyElements.inverted(stem)).pack());
    }
    return new byte[][] {stem, Key.of(stem).afterPrefix().toByteArray()};
  }

  private static byte[] withoutLast(byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length - 1);
  }

  /** How many columns have values of their own. */
  public int leadingColumns() {
    return leading.size();
  }

  /** The packed values that the leading column at {@code place} may have; null for all. */
  byte @Nullable [][] choices(int place) {
    return leading.get(place);
  }

  /** Whether no key can be in a range, whatever the leading columns are. */
  boolean areEmpty() {
    return Arrays.compareUnsigned(low, high) >= 0;
  }

  /** Whether a skip scan is needed. */
  boolean skips() {
    return leading.contains(null);
  }

  /** Whether each range is one primary key, so that there is nothing to scan. */
  public boolean arePoints() {
    return leading.size() == layout.width() && !skips();
  }

  /** The single range; empty if there is none. The leading columns must have at most one value. */
  public Optional<Span> only() {
    byte[] fixed = layout.prefix().unsafeBytes();
    for (byte[][] choices : leading) {
      if (choices == null || choices.length > 1) {
        throw new IllegalStateException("An access has several ranges where it must have one");
      }
      if (choices.length == 0) {
        return Optional.empty();
      }
      fixed = Packed.concat(fixed, choices[0]);
    }
    return Optional.of(span(fixed)).filter(span -> !span.isEmpty());
  }

  /** The range of the keys that begin with {@code fixed}. */
  Span span(byte[] fixed) {
    return new Span(Packed.concat(fixed, low), Packed.concat(fixed, high), fixed.length);
  }

  /** Whether {@code key} is in one of the ranges. */
  public boolean contains(byte[] key) {
    int at = layout.prefix().size();
    for (byte[][] choices : leading) {
      int end = Packed.end(key, at);
      if (choices != null && !Packed.isAmong(choices, key, at, end)) {
        return false;
      }
      at = end;
    }
    return Arrays.compareUnsigned(key, at, key.length, low, 0, low.length) >= 0
        && Arrays.compareUnsigned(key, at, key.length, high, 0, high.length) < 0;
  }
}
