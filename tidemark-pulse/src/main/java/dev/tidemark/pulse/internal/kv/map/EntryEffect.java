package dev.tidemark.pulse.internal.kv.map;

import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.internal.common.ListText;
import dev.tidemark.pulse.internal.spi.MapStore;
import dev.tidemark.pulse.internal.spi.MapWrite;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a write to one key of a map does to the value it finds. */
sealed interface EntryEffect {
  /** Nothing. */
  record Keep() implements EntryEffect {}

  /** The key gets a value. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Put(byte[] value) implements EntryEffect {}

  /** The key goes. */
  record Remove() implements EntryEffect {}

  /** What {@code write} does where it finds {@code value} in {@code map}. */
  static EntryEffect of(String map, MapWrite.OfKey write, Optional<byte[]> value) {
    return switch (write) {
      case MapWrite.Set set -> new Put(set.value());
      case MapWrite.SetIfAbsent set -> value.isEmpty() ? new Put(set.value()) : new Keep();
      case MapWrite.TestAndSet set ->
          holds(value, set.expected()) ? new Put(set.value()) : new Keep();
      case MapWrite.Increment increment -> new Put(sum(map, increment, value));
      case MapWrite.Append append -> append(map, append, value);
      case MapWrite.RemoveValues removal -> without(removal, value);
      case MapWrite.Delete delete -> value.isPresent() ? new Remove() : new Keep();
      case MapWrite.TestAndDelete delete ->
          holds(value, delete.expected()) ? new Remove() : new Keep();
    };
  }

  /** Whether the key has exactly the value {@code expected}. */
  static boolean holds(Optional<byte[]> value, byte[] expected) {
    return value.isPresent() && Arrays.equals(value.get(), expected);
  }

  private static byte[] sum(String map, MapWrite.Increment increment, Optional<byte[]> value) {
    String number = new String(value.orElse(new byte[] {'0'}), StandardCharsets.US_ASCII);
    try {
      long sum = Math.addExact(Long.parseLong(number), increment.delta());
      return Long.toString(sum).getBytes(StandardCharsets.US_ASCII);
    } catch (ArithmeticException | NumberFormatException mistake) {
      throw MapStore.notANumber(map, increment.key());
    }
  }

  private static EntryEffect append(String map, MapWrite.Append append, Optional<byte[]> value) {
    List<byte[]> list = new ArrayList<>(value.map(ListText::decode).orElse(List.of()));
    int before = list.size();
    for (byte[] each : append.values()) {
      if (!append.unique() || !contains(list, each)) {
        list.add(each);
      }
    }
    if (list.size() == before) {
      return new Keep();
    }
    byte[] text = ListText.encode(list);
    if (text.length > MapStore.VALUE_BYTES_MAX) {
      throw new PulseException(
          "The list under '%s' in the map '%s' would have %,d bytes; the limit is %,d. It is unchanged; take values out first, or spread them over several keys"
              .formatted(append.key(), map, text.length, MapStore.VALUE_BYTES_MAX));
    }
    return new Put(text);
  }

  private static EntryEffect without(MapWrite.RemoveValues removal, Optional<byte[]> value) {
    List<byte[]> list = new ArrayList<>(value.map(ListText::decode).orElse(List.of()));
    if (!list.removeIf(each -> contains(removal.values(), each))) {
      return new Keep();
    }
    return list.isEmpty() ? new Remove() : new Put(ListText.encode(list));
  }

  private static boolean contains(List<byte[]> list, byte[] value) {
    return list.stream().anyMatch(each -> Arrays.equals(each, value));
  }
}
