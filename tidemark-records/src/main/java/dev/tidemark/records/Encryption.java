package dev.tidemark.records;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import javax.crypto.SecretKey;

/**
 * The keys for records, by number. Records are written with the current key, and each says which
 * key it was written with; so a key is changed by making a new one current and keeping the old one
 * until no record needs it. A save gives a record the current key, also if nothing else of it
 * changes. Indexes are not encrypted: what must stay secret is not indexed.
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
   * These keys to read with, and none to write with: the way back. Records are written as they are
   * from now on; those that are encrypted become so with their next save. A migration that returns
   * each record as it is saves all of them, after which the keys are needed no more.
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
