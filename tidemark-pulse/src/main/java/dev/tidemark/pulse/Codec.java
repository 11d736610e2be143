package dev.tidemark.pulse;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * Turns values of a {@link ReplicatedMap} into bytes and back.
 *
 * @param <T> the values
 */
public interface Codec<T> {
  /** Texts, as UTF-8. */
  Codec<String> TEXT =
      of(
          text -> text.getBytes(StandardCharsets.UTF_8),
          bytes -> new String(bytes, StandardCharsets.UTF_8));

  /** Bytes as they are. */
  Codec<byte[]> BYTES = of(byte[]::clone, byte[]::clone);

  /** A codec of two functions. */
  static <T> Codec<T> of(Function<T, byte[]> encode, Function<byte[], T> decode) {
    return new Codec<>() {
      @Override
      public byte[] encode(T value) {
        return encode.apply(value);
      }

      @Override
      public T decode(byte[] bytes) {
        return decode.apply(bytes);
      }
    };
  }

  /** The bytes of {@code value}. Equal values have equal bytes. */
  byte[] encode(T value);

  /** The value with these bytes. */
  T decode(byte[] bytes);
}
