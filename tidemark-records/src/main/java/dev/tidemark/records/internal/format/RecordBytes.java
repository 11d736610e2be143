package dev.tidemark.records.internal.format;

import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.Encryption;
import dev.tidemark.records.StoreOptions;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/*
 * A stored record begins with a byte of flags:
 *
 *   bit 0  compressed: the length of the record (4 bytes), then deflate
 *   bit 1  encrypted: the number of the key (4 bytes), a nonce (12 bytes), then AES-GCM of what else
 *          there would be; the key of the record is authenticated with it, so that no record can be
 *          put in the place of another
 *   bit 2  in pieces: the number of pieces (4 bytes) and the length of all (4 bytes); the pieces
 *          follow under keys of their own
 *
 * Pieces are cut from what the other two leave. Numbers are big-endian.
 */

/** Compresses and encrypts the bytes of records for the store, and reverses both. */
public final class RecordBytes {
  static final int COMPRESSED = 1;
  static final int ENCRYPTED = 2;
  public static final int PIECES = 4;

  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  /** The largest factor of deflate: a byte of pairs of single bits makes four times 258 bytes. */
  private static final long INFLATED_MAX = 1_032;

  private final StoreOptions options;
  private final SecureRandom random = new SecureRandom();

  public RecordBytes(StoreOptions options) {
    this.options = options;
  }

  /** The stored form of {@code record} under {@code key}, with the byte of flags. */
  public byte[] pack(byte[] record, byte[] key) {
    int flags = 0;
    byte[] content = record;
    if (options.compression()) {
      byte[] smaller = deflate(record);
      if (smaller.length < record.length) {
        content = smaller;
        flags |= COMPRESSED;
      }
    }
    if (options.encryption().current() != 0) {
      flags |= ENCRYPTED;
      content = encrypt(content, flags, key);
    }
    byte[] stored = new byte[1 + content.length];
    stored[0] = (byte) flags;
    System.arraycopy(content, 0, stored, 1, content.length);
    return stored;
  }

  /** Whether {@code stored} is neither compressed nor encrypted nor in pieces. */
  public static boolean isPlain(byte[] stored) {
    return isPlain(stored, 0, stored.length);
  }

  /** The same of what is stored between {@code from} and {@code to}. */
  public static boolean isPlain(byte[] stored, int from, int to) {
    return from < to && stored[from] == 0;
  }

  /** Whether {@code stored}, which is joined, has the encryption of new records. */
  public boolean isEncryptedAsNow(byte[] stored) {
    int key = (stored[0] & ENCRYPTED) == 0 ? 0 : ByteBuffer.wrap(stored).getInt(1);
    return key == options.encryption().current();
  }

  /** The record in {@code stored}, which is joined. */
  public byte[] unpack(byte[] stored, byte[] key) {
    if (stored.length == 0 || (stored[0] & ~(COMPRESSED | ENCRYPTED)) != 0) {
      throw new DamagedRecordException(
          "A record begins with %s; this version of Tidemark does not know that"
              .formatted(stored.length == 0 ? "nothing" : Byte.toString(stored[0])));
    }
    int flags = stored[0];
    byte[] content = Arrays.copyOfRange(stored, 1, stored.length);
    if ((flags & ENCRYPTED) != 0) {
      content = decrypt(content, flags, key);
    }
    return (flags & COMPRESSED) == 0 ? content : inflate(content);
  }

  private static byte[] deflate(byte[] record) {
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(record);
      deflater.finish();
      byte[] out = new byte[record.length + Integer.BYTES];
      ByteBuffer.wrap(out).putInt(record.length);
      int length = deflater.deflate(out, Integer.BYTES, out.length - Integer.BYTES);
      return deflater.finished() ? Arrays.copyOf(out, Integer.BYTES + length) : out;
    } finally {
      deflater.end();
    }
  }

  /**
   * The stored length bounds the result, not the limit of this program: another one may have a
   * larger limit.
   */
  private static byte[] inflate(byte[] content) {
    int compressed = content.length - Integer.BYTES;
    if (compressed < 0) {
      throw new DamagedRecordException("A compressed record is too short");
    }
    int length = ByteBuffer.wrap(content).getInt();
    if (length < 0 || length > compressed * INFLATED_MAX) {
      throw new DamagedRecordException(
          "A compressed record says it has %,d bytes; its %,d compressed ones cannot make more than %,d"
              .formatted(length, compressed, compressed * INFLATED_MAX));
    }
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(content, Integer.BYTES, compressed);
      byte[] record = new byte[length];
      if (inflater.inflate(record) != length) {
        throw new DamagedRecordException("A compressed record is not as long as it says");
      }
      return record;
    } catch (DataFormatException damage) {
      throw new DamagedRecordException("A compressed record is damaged: " + damage.getMessage());
    } finally {
      inflater.end();
    }
  }

  private byte[] encrypt(byte[] content, int flags, byte[] key) {
    Encryption encryption = options.encryption();
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] sealed = crypt(Cipher.ENCRYPT_MODE, encryption.current(), nonce, content, flags, key);
    return ByteBuffer.allocate(Integer.BYTES + NONCE_BYTES + sealed.length)
        .putInt(encryption.current())
        .put(nonce)
        .put(sealed)
        .array();
  }

  private byte[] decrypt(byte[] content, int flags, byte[] key) {
    if (content.length < Integer.BYTES + NONCE_BYTES) {
      throw new DamagedRecordException("An encrypted record is too short");
    }
    ByteBuffer in = ByteBuffer.wrap(content);
    int number = in.getInt();
    byte[] nonce = new byte[NONCE_BYTES];
    in.get(nonce);
    byte[] sealed = new byte[in.remaining()];
    in.get(sealed);
    return crypt(Cipher.DECRYPT_MODE, number, nonce, sealed, flags, key);
  }

  private byte[] crypt(int mode, int number, byte[] nonce, byte[] content, int flags, byte[] key) {
    SecretKey secret =
        options
            .encryption()
            .key(number)
            .orElseThrow(
                () ->
                    new DamagedRecordException(
                        "A record is encrypted with key %d, which StoreOptions.encryption does not have"
                            .formatted(number)));
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, secret, new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(key);
      cipher.updateAAD(new byte[] {(byte) flags});
      return cipher.doFinal(content);
    } catch (GeneralSecurityException failure) {
      throw new DamagedRecordException(
          "A record cannot be decrypted with key %d: it was changed, or the key is another one: %s"
              .formatted(number, failure.getMessage()));
    }
  }
}
