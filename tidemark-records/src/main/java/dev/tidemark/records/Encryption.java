package dev.tidemark.records;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import javax.crypto.SecretKey;

/**
 * The encryption keys of records, by number. A record is encrypted with the current key and stores
 * the number of its key. To change the key, make a new one current and keep the old one until no
 * record needs it: a save encrypts a record with the current key even if nothing else changes.
 * Indexes are not encrypted, so do not index what must stay secret.
 */
public final class Encryption {
  /** No encryption. */
  public static final Encryption NONE = new Encryption(0, Map.of());

  private final int current;
  private final Map<Integer, SecretKey> keys;

  private Encryption(int current, Map<Integer, SecretKey> keys) {
    this.current = current;
    this.keys = Map.copyOf(keys);
  }

  /** Encrypts with AES-GCM and {@code key}, whose number is {@code number}, from 1. */
  public static Encryption with(int number, SecretKey key) {
    return NONE.rotatedTo(number, key);
  }

  /** These keys and a new current one. Its number must be new. */
  public Encryption rotatedTo(int number, SecretKey key) {
    if (number < 1 || keys.containsKey(number)) {
      throw new IllegalArgumentException(
          "Key number %d is not positive or already in use".formatted(number));
    }
    if (!key.getAlgorithm().equals("AES")) {
      throw new IllegalArgumentException(
          "Key %d is for %s; records take keys for AES".formatted(number, key.getAlgorithm()));
    }
    Map<Integer, SecretKey> all = new HashMap<>(keys);
    all.put(number, key);
    return new Encryption(number, all);
  }

  /**
   * These keys for reading, and none for writing: the way back. New records are not encrypted, and
   * an encrypted record is decrypted by its next save. A migration that returns each record
   * unchanged saves all of them; after it the keys are no longer needed.
   */
  public Encryption off() {
    return new Encryption(0, keys);
  }

  /** The number of the key to write with; 0 for none. */
  public int current() {
    return current;
  }

  /** The key with {@code number}. */
  public Optional<SecretKey> key(int number) {
    return Optional.ofNullable(keys.get(number));
  }

  /** The numbers of the keys, never the keys. */
  @Override
  public String toString() {
    return "Encryption[current=" + current + ", keys=" + new TreeSet<>(keys.keySet()) + "]";
  }
}
