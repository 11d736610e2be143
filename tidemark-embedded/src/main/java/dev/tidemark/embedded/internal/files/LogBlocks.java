package dev.tidemark.embedded.internal.files;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/*
 * RocksDB's logs and manifests are rows of blocks of 32 KiB. A block holds fragments of records: a
 * masked CRC-32C (4 bytes, of the type and the bytes), a length (2), a type (1), the bytes. Where no
 * header fits any more, a block ends with zeros. A record is one fragment, or a first one, some in the
 * middle and a last one. No fragment reaches into the next block, so one block at a time is enough.
 */

/** A file in the format of RocksDB's logs, read block by block. */
public final class LogBlocks implements Closeable {
  /** Bytes of a block. */
  public static final int BLOCK = 32_768;

  /** Bytes before those of a fragment. */
  public static final int HEADER = 7;

  static final int FULL = 1;
  static final int FIRST = 2;
  static final int LAST = 4;

  private static final int TYPE_OFFSET = 6;
  private static final int CHECKSUM_MASK = 0xa282ead8;

  // Not a channel, which an interrupt would close.
  private final RandomAccessFile file;
  private final long size;
  private final ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
  private long loaded = -1;

  LogBlocks(Path path) throws IOException {
    file = new RandomAccessFile(path.toFile(), "r");
    size = file.length();
  }

  long size() {
    return size;
  }

  /** How many bytes of the block at {@code at} come from there on. */
  static int leftInBlock(long at) {
    return BLOCK - (int) (at % BLOCK);
  }

  /** Whether a header can be read at {@code at}. */
  boolean hasHeader(long at) {
    return leftInBlock(at) >= HEADER && at + HEADER <= size;
  }

  /** The type of the fragment whose header is at {@code at}. */
  int type(long at) throws IOException {
    return load(at).get(offset(at) + TYPE_OFFSET);
  }

  /** The length of the fragment whose header is at {@code at}, without that. */
  int length(long at) throws IOException {
    return load(at).getShort(offset(at) + Integer.BYTES) & 0xffff;
  }

  /** Whether the header at {@code at} is nothing but zeros. */
  boolean isZero(long at) throws IOException {
    return load(at).getInt(offset(at)) == 0 && length(at) == 0 && type(at) == 0;
  }

  /** Whether a whole fragment with its own checksum is at {@code at}, where a header is. */
  boolean isGood(long at) throws IOException {
    int type = type(at);
    int length = length(at);
    return type >= FULL
        && type <= LAST
        && HEADER + length <= leftInBlock(at)
        && at + HEADER + length <= size
        && checksumFits(at, length);
  }

  private boolean checksumFits(long at, int length) throws IOException {
    CRC32C checksum = new CRC32C();
    checksum.update(load(at).array(), offset(at) + TYPE_OFFSET, 1 + length);
    int crc = (int) checksum.getValue();
    return load(at).getInt(offset(at)) == Integer.rotateRight(crc, 15) + CHECKSUM_MASK;
  }

  /** Puts at most {@code max} bytes of the good fragment at {@code at} to {@code target}. */
  void copy(long at, int max, ByteArrayOutputStream target) throws IOException {
    target.write(load(at).array(), offset(at) + HEADER, Math.min(max, length(at)));
  }

  /** Whether a record begins with the good fragment at {@code at}. */
  boolean beginsRecord(long at) throws IOException {
    if (!hasHeader(at)) {
      return false;
    }
    int type = type(at);
    return (type == FULL || type == FIRST) && length(at) > 0 && isGood(at);
  }

  /** Where a record begins at or after {@code from}; -1 for nowhere. */
  long nextRecord(long from) throws IOException {
    for (long at = from; at + HEADER <= size; at++) {
      if (beginsRecord(at)) {
        return at;
      }
    }
    return -1;
  }

  /** Where the zeros begin that reach to the end, not before {@code from}. */
  long endWithoutZeros(long from) throws IOException {
    long end = from;
    for (long at = from; at < size; at += leftInBlock(at)) {
      byte[] bytes = load(at).array();
      int last = (int) Math.min(BLOCK, size - at + offset(at)) - 1;
      while (last >= offset(at) && bytes[last] == 0) {
        last--;
      }
      end = last >= offset(at) ? at - offset(at) + last + 1 : end;
    }
    return end;
  }

  private ByteBuffer load(long at) throws IOException {
    long number = at / BLOCK;
    if (number != loaded) {
      loaded = -1;
      file.seek(number * BLOCK);
      file.readFully(block.array(), 0, (int) Math.min(BLOCK, size - number * BLOCK));
      loaded = number;
    }
    return block;
  }

  private static int offset(long at) {
    return (int) (at % BLOCK);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
