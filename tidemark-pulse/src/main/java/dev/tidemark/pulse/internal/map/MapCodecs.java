package dev.tidemark.pulse.internal.map;

import dev.tidemark.kv.Codec;
import dev.tidemark.pulse.internal.common.ListText;
import dev.tidemark.pulse.internal.spi.MapStore;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The keys and values of one map, to what a store keeps and back, within the limits. */
record MapCodecs<K, V>(String map, Codec<K> keys, Codec<V> values) {
  static final String NO_KEY = "The key is null";

  MapCodecs {
    Objects.requireNonNull(keys, () -> "The codec of the keys of the map '" + map + "' is null");
    Objects.requireNonNull(
        values, () -> "The codec of the values of the map '" + map + "' is null");
    if (keys.equals(Codec.BYTES)) {
      throw new IllegalArgumentException(
          "Codec.BYTES cannot be the codec of the keys of the map '%s': arrays with the same bytes are not equal. Use Codec.TEXT, or a codec of a type with equals"
              .formatted(map));
    }
  }

  String key(K key) {
    Objects.requireNonNull(key, NO_KEY);
    byte[] bytes = keys.encode(key);
    String text = text(bytes);
    if (bytes.length == 0 || bytes.length > MapStore.KEY_BYTES_MAX || text.indexOf('=') >= 0) {
      throw new IllegalArgumentException(
          "'%s' (%,d bytes) cannot be a key of the map '%s': a key has 1 to %,d bytes and no '='"
              .formatted(shortened(text), bytes.length, map, MapStore.KEY_BYTES_MAX));
    }
    return text;
  }

  private String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException noText) {
      throw new IllegalArgumentException(
          "The codec of the keys of the map '" + map + "' gives bytes that are no UTF-8 text",
          noText);
    }
  }

  private static String shortened(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }

  K keyOf(String text) {
    return keys.decode(text.getBytes(StandardCharsets.UTF_8));
  }

  byte[] value(V value) {
    Objects.requireNonNull(value, "The value is null; delete the key for none");
    byte[] bytes = values.encode(value);
    if (bytes.length > MapStore.VALUE_BYTES_MAX) {
      throw new IllegalArgumentException(
          "A value of %,d bytes is too large for the map '%s'; the limit is %,d. Keep it elsewhere and its place in the map"
              .formatted(bytes.length, map, MapStore.VALUE_BYTES_MAX));
    }
    return bytes;
  }

  List<byte[]> values(List<V> all) {
    Objects.requireNonNull(all, "The values are null; give an empty list for none");
    return all.stream().map(this::value).toList();
  }

  V valueOf(byte[] bytes) {
    return values.decode(bytes);
  }

  Optional<V> valueOf(Optional<byte[]> bytes) {
    return bytes.map(this::valueOf);
  }

  List<V> list(Optional<byte[]> bytes) {
    return bytes.map(ListText::decode).orElse(List.of()).stream().map(this::valueOf).toList();
  }
}
