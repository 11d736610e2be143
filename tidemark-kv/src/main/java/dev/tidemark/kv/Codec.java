package dev.tidemark.kv;

import dev.tidemark.kv.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Function;

/**
 * Turns values into bytes and back. Used by many threads. Everybody who reads what another process
 * has written needs the same codec.
 *
 * @param <T> the values
 */
public interface Codec<T> {
  /** Texts, as UTF-8. A text with half a surrogate pair is refused: UTF-8 has no form for it. */
  Codec<String> TEXT =
      of(text -> Utf8.bytes("The text", text), bytes -> new String(bytes, StandardCharsets.UTF_8));

  /** Whole numbers, as decimal text. */
  Codec<Long> NUMBER =
      of(
          number -> Long.toString(number).getBytes(StandardCharsets.US_ASCII),
          bytes -> Long.valueOf(new String(bytes, StandardCharsets.US_ASCII)));

  /** Copies of the bytes. Not for keys of maps: arrays with equal bytes are not equal. */
  Codec<byte[]> BYTES = of(byte[]::clone, byte[]::clone);

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

  /** The bytes of {@code value}. Equal values have equal bytes. */
  byte[] encode(T value);

  /** The value with these bytes. An exception says that there is none. */
  T decode(byte[] bytes);
}
