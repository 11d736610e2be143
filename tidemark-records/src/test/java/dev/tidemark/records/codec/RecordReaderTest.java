package dev.tidemark.records.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.testkit.junit.SeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;

class RecordReaderTest {
  private static final int ROUNDS = 3_000;

  @ParameterizedTest(name = "seed {0}")
  @SeedSource(count = 4)
  void fieldsThatAreNotWantedArePassedOverAsIfTheyWereSkipped(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < ROUNDS; i++) {
      byte[] bytes = random.nextBoolean() ? fields(random) : anything(random);
      long wanted = random.nextLong();
      assertThat(passing(bytes, wanted)).isEqualTo(skipping(bytes, wanted));
    }
  }

  /** Fields of all wire types, some with large numbers, and sometimes the end is missing. */
  private static byte[] fields(SplittableRandom random) {
    List<Byte> bytes = new ArrayList<>();
    int count = random.nextInt(10);
    for (int i = 0; i < count; i++) {
      int number = 1 + random.nextInt(random.nextBoolean() ? 15 : 100);
      int type = List.of(0, 1, 2, 5).get(random.nextInt(4));
      varint(bytes, (long) number << 3 | type);
      switch (type) {
        case 0 -> varint(bytes, random.nextLong() >>> random.nextInt(64));
        case 1 -> some(bytes, random, Long.BYTES);
        case 5 -> some(bytes, random, Integer.BYTES);
        default -> {
          int length = random.nextInt(random.nextInt(10) == 0 ? 300 : 20);
          varint(bytes, length);
          some(bytes, random, length);
        }
      }
    }
    int size = random.nextInt(3) == 0 ? random.nextInt(bytes.size() + 1) : bytes.size();
    byte[] array = new byte[size];
    for (int i = 0; i < size; i++) {
      array[i] = bytes.get(i);
    }
    return array;
  }

  private static void varint(List<Byte> into, long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      into.add((byte) (rest | 0x80));
      rest >>>= 7;
    }
    into.add((byte) rest);
  }

  private static void some(List<Byte> into, SplittableRandom random, int count) {
    for (int i = 0; i < count; i++) {
      into.add((byte) random.nextInt());
    }
  }

  private static byte[] anything(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(30)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static List<String> passing(byte[] bytes, long wanted) {
    List<String> seen = new ArrayList<>();
    RecordReader in = new RecordReader(bytes);
    try {
      for (int number = in.next(wanted); number != 0; number = in.next(wanted)) {
        if (isWanted(number, wanted)) {
          seen.add(number + " at " + in.position());
        }
        in.skip();
      }
    } catch (DamagedRecordException damage) {
      seen.add("damaged");
    }
    return seen;
  }

  /** Numbers are read as those who want them read them. */
  private static List<String> skipping(byte[] bytes, long wanted) {
    List<String> seen = new ArrayList<>();
    RecordReader in = new RecordReader(bytes);
    try {
      int tag = in.position();
      for (int number = in.next(); number != 0; number = in.next()) {
        if (isWanted(number, wanted)) {
          seen.add(number + " at " + in.position());
        }
        if ((bytes[tag] & 7) == WireType.VARINT) {
          in.varint();
        } else {
          in.skip();
        }
        tag = in.position();
      }
    } catch (DamagedRecordException damage) {
      seen.add("damaged");
    }
    return seen;
  }

  private static boolean isWanted(int number, long wanted) {
    return number < Long.SIZE && (wanted & (1L << number)) != 0;
  }
}
