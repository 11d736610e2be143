package dev.tidemark.partitions;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Function;

/**
 * Turns requests or answers of an actor type into bytes and back. Used by many threads. Clients and
 * servers of a type must use the same.
 *
 * @param <T> the requests or answers
 */
public interface Codec<T> {
  /** Texts, as UTF-8. */
  Codec<String> TEXT =
      of(
          text -> text.getBytes(StandardCharsets.UTF_8),
          bytes -> new String(bytes, StandardCharsets.UTF_8));

  /** Bytes as they are, without a copy. */
  Codec<byte[]> BYTES = of(bytes -> bytes, bytes -> bytes);

  /** A codec of two functions. */
  static <T> Codec<T> of(Function<T, byte[]> encode, Function<byte[], T> decode) {
    Objects.requireNonNull(encode, "The function that encodes is null");
    Objects.requireNonNull(decode, "The function that decodes is null");
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

  /** The bytes of {@code value}. */
  byte[] encode(T value);

  /** The value with these bytes. An exception says that there is none. */
  T decode(byte[] bytes);
}
