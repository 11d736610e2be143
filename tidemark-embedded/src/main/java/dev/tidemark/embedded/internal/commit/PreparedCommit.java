package dev.tidemark.embedded.internal.commit;

import dev.tidemark.embedded.internal.read.PinnedVersion;
import dev.tidemark.embedded.internal.resolve.Footprint;
import dev.tidemark.embedded.internal.storage.BatchBuilder;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.spi.commit.Commit;
import dev.tidemark.kv.spi.commit.CommitId;
import dev.tidemark.kv.spi.commit.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A commit with everything done that can be done before its turn: keys hashed, plain writes in wire
 * format, values to be mutated and keys to be cleared looked up. The committer checks that what was
 * looked up still holds.
 */
public final class PreparedCommit {
  /** Clears of more keys become one range tombstone, which later reads pay for. */
  private static final int CLEARED_KEYS_MAX = 500;

  final Footprint footprint;
  final List<RangeClear> clears;

  /** Sets and clears of single keys. */
  final BatchBuilder plainWrites;

  final List<Key> setKeys;

  /** The values of {@link #setKeys}. */
  final List<byte[]> setValues;

  final List<Key> clearedKeys;

  final List<Mutation> mutations;
  final List<Commit.StampedSet> stampedSets;

  /** The version at which keys and values were looked up. */
  final long lookupVersion;

  final @Nullable CommitId id;

  /** About how much it adds to a batch. */
  final long bytes;

  /**
   * A range to clear; {@code keys} are those that it had at the lookup, null if there were too
   * many.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record RangeClear(byte[] begin, byte[] end, @Nullable List<byte[]> keys) {}

  /** A key to mutate; {@code value} is what it had at the lookup. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Mutation(Key key, Write.Mutate write, byte @Nullable [] value) {}

  private PreparedCommit(
      Footprint footprint,
      List<RangeClear> clears,
      BatchBuilder plainWrites,
      List<Key> setKeys,
      List<byte[]> setValues,
      List<Key> clearedKeys,
      List<Mutation> mutations,
      List<Commit.StampedSet> stampedSets,
      long lookupVersion,
      @Nullable CommitId id) {
    this.footprint = footprint;
    this.clears = clears;
    this.plainWrites = plainWrites;
    this.setKeys = setKeys;
    this.setValues = setValues;
    this.clearedKeys = clearedKeys;
    this.mutations = mutations;
    this.stampedSets = stampedSets;
    this.lookupVersion = lookupVersion;
    this.id = id;
    long size = plainWrites.size();
    for (RangeClear clear : clears) {
      List<byte[]> keys = clear.keys() == null ? List.of() : clear.keys();
      size +=
          clear.begin().length + clear.end().length + keys.stream().mapToInt(k -> k.length).sum();
    }
    for (Mutation mutation : mutations) {
      size += mutation.key().size() + mutation.write().size();
      size += mutation.value() == null ? 0 : mutation.value().length;
    }
    for (Commit.StampedSet set : stampedSets) {
      size += set.key().size() + set.value().length;
    }
    this.bytes = size;
  }

  public static PreparedCommit of(Commit commit, PinnedVersion latest) {
    List<RangeClear> clears = new ArrayList<>(commit.clears().size());
    commit
        .clears()
        .forEach((begin, end) -> clears.add(clear(begin.unsafeBytes(), end.unsafeBytes(), latest)));
    BatchBuilder plain = new BatchBuilder(commit.writes().size() * 64);
    List<Key> setKeys = new ArrayList<>(commit.writes().size());
    List<byte[]> setValues = new ArrayList<>(commit.writes().size());
    List<Key> clearedKeys = new ArrayList<>();
    List<Mutation> mutations = new ArrayList<>();
    for (Map.Entry<Key, Write> entry : commit.writes().entrySet()) {
      byte[] key = entry.getKey().unsafeBytes();
      switch (entry.getValue()) {
        case Write.Put put -> {
          plain.put(key, put.value());
          setKeys.add(entry.getKey());
          setValues.add(put.value());
        }
        case Write.Clear clear -> {
          plain.delete(key);
          clearedKeys.add(entry.getKey());
        }
        case Write.Mutate mutate -> {
          byte[] value = mutate.isVersionstamped() ? null : latest.get(key);
          mutations.add(new Mutation(entry.getKey(), mutate, value));
        }
      }
    }
    return new PreparedCommit(
        footprint(commit),
        clears,
        plain,
        setKeys,
        setValues,
        clearedKeys,
        mutations,
        commit.stampedSets(),
        latest.version(),
        commit.id());
  }

  private static RangeClear clear(byte[] begin, byte[] end, PinnedVersion latest) {
    List<byte[]> keys = latest.keys(begin, end, CLEARED_KEYS_MAX + 1);
    return new RangeClear(begin, end, keys.size() > CLEARED_KEYS_MAX ? null : keys);
  }

  private static Footprint footprint(Commit commit) {
    List<KeyRange> written = commit.conflictingRanges();
    List<Key> quietKeys = new ArrayList<>(0);
    List<KeyRange> quietRanges = new ArrayList<>(0);
    commit
        .quiet()
        .forEach(
            (begin, end) -> {
              if (isSingle(begin, end)) {
                quietKeys.add(begin);
              } else {
                quietRanges.add(KeyRange.of(begin, end));
              }
            });
    return new Footprint(
        commit.hasReads() ? commit.readVersion() : -1,
        bytes(commit.readKeys()),
        bytes(commit.readRanges(), KeyRange::begin),
        bytes(commit.readRanges(), KeyRange::end),
        bytes(commit.conflictingKeys()),
        bytes(written, KeyRange::begin),
        bytes(written, KeyRange::end),
        bytes(quietKeys),
        bytes(quietRanges, KeyRange::begin),
        bytes(quietRanges, KeyRange::end));
  }

  /** Whether nothing but {@code begin} is before {@code end}. */
  private static boolean isSingle(Key begin, Key end) {
    return end.size() == begin.size() + 1 && end.at(begin.size()) == 0 && end.startsWith(begin);
  }

  private static byte[][] bytes(Collection<Key> keys) {
    return bytes(keys, key -> key);
  }

  private static <T> byte[][] bytes(Collection<T> many, Function<T, Key> key) {
    if (many.isEmpty()) {
      return Footprint.NO_KEYS;
    }
    byte[][] bytes = new byte[many.size()][];
    int i = 0;
    for (T each : many) {
      bytes[i++] = key.apply(each).unsafeBytes();
    }
    return bytes;
  }
}
