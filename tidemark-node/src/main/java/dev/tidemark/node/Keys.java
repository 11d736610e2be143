package dev.tidemark.node;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Versionstamp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The demo's keys. */
final class Keys {
  private Keys() {}

  static Key of(String space, long... numbers) {
    ByteBuffer suffix = ByteBuffer.allocate(Long.BYTES * numbers.length);
    for (long number : numbers) {
      suffix.putLong(number);
    }
    return prefix(space).append(suffix.array());
  }

  static KeyRange all(String space) {
    return KeyRange.startingWith(prefix(space));
  }

  static long number(Key key, String space, int index) {
    return ByteBuffer.wrap(key.toByteArray())
        .getLong(prefix(space).size() + index * Long.BYTES);
  }

  static Key stamped(String space) {
    Key prefix = prefix(space);
    byte[] offset =
        ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(prefix.size()).array();
    return prefix.append(Versionstamp.incomplete(0).toByteArray()).append(offset);
  }

  static Versionstamp stamp(Key key, String space) {
    byte[] stamp = new byte[Versionstamp.BYTES];
    System.arraycopy(key.toByteArray(), prefix(space).size(), stamp, 0, stamp.length);
    return Versionstamp.fromBytes(stamp);
  }

  private static Key prefix(String space) {
    return Key.utf8(space).next();
  }
}
