package dev.tidemark.embedded.internal.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResolverTest {
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void agreesWithALookThroughAllCommits(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Resolver resolver = new Resolver(0, Long.MAX_VALUE);
    List<Committed> history = new ArrayList<>();
    int conflicts = 0;
    for (int i = 0; i < 6_000; i++) {
      long version = 1_000L + i / 3 * 700L;
      int back = Math.min(history.size(), random.nextInt(1, 60));
      long readVersion =
          history.isEmpty() ? 0 : history.get(history.size() - back).version - random.nextInt(2);
      Footprint next = footprint(random, readVersion);
      boolean expected = history.stream().anyMatch(commit -> commit.touches(next));
      assertThat(resolver.conflicts(next)).as("transaction %d", i).isEqualTo(expected);
      conflicts += expected ? 1 : 0;
      if (!expected) {
        resolver.add(version, next);
        history.add(new Committed(version, next));
        if (history.size() > 200) {
          history.removeFirst();
        }
      }
    }
    assertThat(conflicts).isBetween(100, 5_900);
  }

  @Test
  void whatWasForgottenMakesOlderReadsTooOldAndNothingElse() {
    Resolver resolver = new Resolver(10, Long.MAX_VALUE);
    assertThat(resolver.isTooOld(10)).isFalse();
    assertThat(resolver.isTooOld(9)).isTrue();
    for (long version = 1_000_000; version <= 9_000_000; version += 1_000) {
      resolver.add(version, write(new byte[] {1}));
    }
    resolver.forgetBefore(5_000_000);
    assertThat(resolver.isTooOld(3_000_000)).isTrue();
    assertThat(resolver.isTooOld(5_000_000)).isFalse();
    assertThat(resolver.writtenSince(8_999_999, new byte[] {1})).isTrue();
    assertThat(resolver.writtenSince(9_000_000, new byte[] {1})).isFalse();
  }

  /** The ways to write a key quietly. */
  enum Quietly {
    AS_A_KEY {
      @Override
      void writes(Resolver resolver, long version, byte[] key) {
        resolver.add(version, quiet(new byte[][] {key}, Footprint.NO_KEYS, Footprint.NO_KEYS));
      }
    },
    AS_A_RANGE {
      @Override
      void writes(Resolver resolver, long version, byte[] key) {
        byte[] next = Arrays.copyOf(key, key.length + 1);
        resolver.add(version, quiet(Footprint.NO_KEYS, new byte[][] {key}, new byte[][] {next}));
      }
    },
    BEHIND_ITS_COMMIT {
      @Override
      void writes(Resolver resolver, long version, byte[] key) {
        resolver.add(version, write(new byte[] {8}));
        resolver.add(version, key, true);
      }
    };

    abstract void writes(Resolver resolver, long version, byte[] key);

    private static Footprint quiet(byte[][] keys, byte[][] begins, byte[][] ends) {
      byte[][] none = Footprint.NO_KEYS;
      return new Footprint(-1, none, none, none, none, none, none, keys, begins, ends);
    }
  }

  @ParameterizedTest
  @EnumSource
  void quietWriteIsNoConflictButMakesEarlierLookupsStale(Quietly quietly) {
    byte[] written = {5};
    Resolver resolver = new Resolver(10, Long.MAX_VALUE);
    quietly.writes(resolver, 20, written);
    resolver.add(30, write(new byte[] {9}));
    Footprint reader =
        new Footprint(
            15,
            new byte[][] {written},
            new byte[][] {{4}},
            new byte[][] {{6}},
            Footprint.NO_KEYS,
            Footprint.NO_KEYS,
            Footprint.NO_KEYS);
    assertThat(resolver.conflicts(reader)).isFalse();
    assertThat(resolver.writtenSince(15, written)).isTrue();
    assertThat(resolver.writtenSince(15, new byte[] {4}, new byte[] {6})).isTrue();
    assertThat(resolver.writtenSince(20, written)).isFalse();
    assertThat(resolver.writtenSince(15, new byte[] {5, 0})).isFalse();
  }

  @Test
  void takesNoMoreMemoryThanItMay() {
    Resolver resolver = new Resolver(0, 1_000_000);
    for (int i = 1; i <= 100_000; i++) {
      resolver.add(i, write(new byte[] {(byte) i, (byte) (i >> 8), (byte) (i >> 16)}));
    }
    assertThat(resolver.isTooOld(80_000)).isTrue();
    assertThat(resolver.isTooOld(99_000)).isFalse();
  }

  @Test
  void keyBehindItsCommitIsAConflictUnlessItIsQuiet() {
    Resolver resolver = new Resolver(10, Long.MAX_VALUE);
    resolver.add(20, write(new byte[] {1}));
    resolver.add(20, new byte[] {2}, false);
    resolver.add(20, new byte[] {3}, true);
    assertThat(resolver.conflicts(read(15, new byte[] {2}))).isTrue();
    assertThat(resolver.conflicts(read(15, new byte[] {3}))).isFalse();
    assertThat(resolver.conflicts(read(20, new byte[] {2}))).isFalse();
    assertThat(resolver.writtenSince(15, new byte[] {2}, new byte[] {3})).isTrue();
    assertThat(resolver.writtenSince(15, new byte[] {4}, new byte[] {9})).isFalse();
  }

  private static Footprint write(byte[] key) {
    byte[][] none = Footprint.NO_KEYS;
    return new Footprint(-1, none, none, none, new byte[][] {key}, none, none);
  }

  private static Footprint read(long version, byte[] key) {
    byte[][] none = Footprint.NO_KEYS;
    return new Footprint(version, new byte[][] {key}, none, none, none, none, none);
  }

  /** Keys share prefixes of several lengths, as those of layers do. */
  private static byte[] key(SplittableRandom random) {
    String prefix =
        switch (random.nextInt(4)) {
          case 0 -> "";
          case 1 -> "a";
          case 2 -> "a/longer/prefix/";
          default -> "a/longer/prefix/with-more-than-eight-bytes/";
        };
    String tail = Integer.toString(random.nextInt(1_200), 36);
    return (prefix + tail).getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  private static byte[][] keys(SplittableRandom random, int count) {
    byte[][] keys = new byte[count][];
    for (int i = 0; i < count; i++) {
      keys[i] = key(random);
    }
    Arrays.sort(keys, Arrays::compareUnsigned);
    return keys;
  }

  private static Footprint footprint(SplittableRandom random, long readVersion) {
    byte[][] reads = keys(random, 2 * random.nextInt(2));
    byte[][] writes = keys(random, 2 * (random.nextInt(12) == 0 ? 1 : 0));
    return new Footprint(
        readVersion,
        keys(random, random.nextInt(3)),
        part(reads, 0),
        part(reads, 1),
        keys(random, random.nextInt(4)),
        part(writes, 0),
        part(writes, 1));
  }

  /** Every second element: begins and ends of ranges made of sorted keys. */
  private static byte[][] part(byte[][] keys, int from) {
    byte[][] part = new byte[keys.length / 2][];
    for (int i = 0; i < part.length; i++) {
      part[i] =
          from == 0 ? keys[2 * i] : Arrays.copyOf(keys[2 * i + 1], keys[2 * i + 1].length + 1);
    }
    return part;
  }

  private record Committed(long version, Footprint footprint) {
    boolean touches(Footprint reader) {
      if (version <= reader.readVersion) {
        return false;
      }
      for (byte[] key : reader.readKeys) {
        if (writes(key)) {
          return true;
        }
      }
      for (int i = 0; i < reader.readBegins.length; i++) {
        if (writesInto(reader.readBegins[i], reader.readEnds[i])) {
          return true;
        }
      }
      return false;
    }

    private boolean writes(byte[] key) {
      return writesInto(key, Arrays.copyOf(key, key.length + 1));
    }

    private boolean writesInto(byte[] begin, byte[] end) {
      for (byte[] key : footprint.writeKeys) {
        if (isBefore(key, end) && !isBefore(key, begin)) {
          return true;
        }
      }
      for (int i = 0; i < footprint.writeBegins.length; i++) {
        if (isBefore(footprint.writeBegins[i], end) && isBefore(begin, footprint.writeEnds[i])) {
          return true;
        }
      }
      return false;
    }

    private static boolean isBefore(byte[] left, byte[] right) {
      return Arrays.compareUnsigned(left, right) < 0;
    }
  }
}
