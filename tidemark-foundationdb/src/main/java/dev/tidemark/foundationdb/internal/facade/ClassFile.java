package dev.tidemark.foundationdb.internal.facade;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** A compiled class that can be given another name. */
public final class ClassFile {
  private static final int UTF8 = 1;
  private static final int LONG = 5;
  private static final int DOUBLE = 6;

  private ClassFile() {}

  /**
   * The class file {@code bytes} with {@code to} wherever its constants say {@code from}. Both are
   * names with slashes. Names occur in the constant pool alone, in texts that say how long they
   * are, so nothing behind the pool moves in a way that matters.
   */
  public static byte[] rename(byte[] bytes, String from, String to) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    ByteArrayOutputStream renamed = new ByteArrayOutputStream(bytes.length);
    DataOutputStream out = new DataOutputStream(renamed);
    out.write(in.readNBytes(8)); // magic number and version
    int count = in.readUnsignedShort();
    out.writeShort(count);
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      out.writeByte(tag);
      if (tag == UTF8) {
        out.writeUTF(in.readUTF().replace(from, to));
      } else {
        out.write(in.readNBytes(length(tag)));
      }
      if (tag == LONG || tag == DOUBLE) {
        i++; // they count for two
      }
    }
    in.transferTo(out);
    return renamed.toByteArray();
  }

  /** Bytes after the tag: JVM specification, section 4.4. */
  private static int length(int tag) throws IOException {
    return switch (tag) {
      case 7, 8, 16, 19, 20 -> 2;
      case 15 -> 3;
      case 3, 4, 9, 10, 11, 12, 17, 18 -> 4;
      case LONG, DOUBLE -> 8;
      default -> throw new IOException("A class file has no constants with the tag " + tag);
    };
  }
}
