package dev.tidemark.kv.directory;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.internal.KeyPrinter;
import java.nio.charset.StandardCharsets;

/**
 * The id of the layer whose data a directory holds: a byte string, stored with the directory, so
 * that a program does not open a queue as a table by mistake.
 */
public final class LayerId {
  /** No id: any layer. */
  public static final LayerId NONE = new LayerId(Key.EMPTY);

  /** The id of a partition: a directory below which the directory tree begins anew. */
  public static final LayerId PARTITION = of("partition");

  private final Key bytes;

  private LayerId(Key bytes) {
    this.bytes = bytes;
  }

  /** The id with the UTF-8 bytes of {@code name}. */
  public static LayerId of(String name) {
    return fromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  /** The id with a copy of these bytes. */
  public static LayerId fromBytes(byte[] bytes) {
    return new LayerId(Key.of(bytes));
  }

  /** A copy of the bytes. */
  public byte[] toByteArray() {
    return bytes.toByteArray();
  }

  /** Whether a directory with this id may be opened as {@code wanted}. */
  boolean satisfies(LayerId wanted) {
    return wanted.equals(NONE) || wanted.equals(this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LayerId that && bytes.equals(that.bytes);
  }

  @Override
  public int hashCode() {
    return bytes.hashCode();
  }

  /** The bytes, escaped where they are not ASCII. */
  @Override
  public String toString() {
    return KeyPrinter.escaped(bytes.unsafeBytes());
  }
}
