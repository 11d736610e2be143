package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.FDBException;
import com.apple.foundationdb.KeyArrayResult;
import com.apple.foundationdb.KeyValue;
import com.apple.foundationdb.StreamingMode;
import dev.tidemark.foundationdb.internal.FdbErrors;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ScanMode;
import java.io.ByteArrayOutputStream;
import java.util.List;

/** What comes from a layer in our types, and what goes to it in fdb-java's. */
final class StoreValues {
  private StoreValues() {}

  /** The key with these bytes, unless it is one of the special keys, which only a cluster has. */
  static Key key(byte[] bytes) {
    if (bytes.length > 1 && bytes[0] == (byte) 0xff && bytes[1] == (byte) 0xff) {
      throw new FDBException(
          "There are no special keys (those that begin with ff ff) in a Tidemark store",
          FdbErrors.SPECIAL_KEYS_NO_MODULE_FOUND);
    }
    return Key.of(bytes);
  }

  static KeyRange range(byte[] begin, byte[] end) {
    try {
      return KeyRange.of(key(begin), key(end));
    } catch (DatabaseException inverted) {
      throw FdbErrors.of(inverted);
    }
  }

  static KeySelector selector(com.apple.foundationdb.KeySelector selector) {
    return new KeySelector(key(selector.getKey()), selector.orEqual(), selector.getOffset());
  }

  static ScanMode mode(StreamingMode mode) {
    return switch (mode) {
      case WANT_ALL -> ScanMode.WANT_ALL;
      case ITERATOR -> ScanMode.ITERATOR;
      case EXACT -> ScanMode.EXACT;
      case SMALL -> ScanMode.SMALL;
      case MEDIUM -> ScanMode.MEDIUM;
      case LARGE -> ScanMode.LARGE;
      case SERIAL -> ScanMode.SERIAL;
    };
  }

  /** By code, because fdb-java has two names for some. */
  static MutationType mutation(com.apple.foundationdb.MutationType type) {
    return switch (type.code()) {
      case 2 -> MutationType.ADD;
      case 6 -> MutationType.BIT_AND;
      case 7 -> MutationType.BIT_OR;
      case 8 -> MutationType.BIT_XOR;
      case 9 -> MutationType.APPEND_IF_FITS;
      case 12 -> MutationType.MAX;
      case 13 -> MutationType.MIN;
      case 14 -> MutationType.SET_VERSIONSTAMPED_KEY;
      case 15 -> MutationType.SET_VERSIONSTAMPED_VALUE;
      case 16 -> MutationType.BYTE_MIN;
      case 17 -> MutationType.BYTE_MAX;
      case 20 -> MutationType.COMPARE_AND_CLEAR;
      default ->
          throw new FDBException(
              "The mutation %s (code %d) is not offered".formatted(type, type.code()),
              FdbErrors.INVALID_MUTATION_TYPE);
    };
  }

  static KeyValue row(dev.tidemark.kv.KeyValue row) {
    return new KeyValue(row.key().toByteArray(), row.value());
  }

  static KeyArrayResult keys(List<Key> keys) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    keys.forEach(key -> bytes.writeBytes(key.unsafeBytes()));
    return new KeyArrayResult(bytes.toByteArray(), keys.stream().mapToInt(Key::size).toArray());
  }
}
