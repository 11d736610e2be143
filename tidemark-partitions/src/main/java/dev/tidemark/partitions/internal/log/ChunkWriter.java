package dev.tidemark.partitions.internal.log;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/** Writes a part of a checkpoint in chunks, several of them in a transaction. */
final class ChunkWriter extends OutputStream {
  /** The bytes of a chunk: with its head, less than a value may have. */
  static final int CHUNK_BYTES = 90_000;

  static final int HEAD_BYTES = 5;
  static final byte MORE = 0;
  static final byte LAST = 1;
  private static final int CHUNKS_A_TRANSACTION = 10;

  private final Database database;
  private final PartitionKeys keys;
  private final String partition;
  private final String generation;
  private final int part;
  private final Map<Key, byte[]> unwritten = new LinkedHashMap<>();
  private final byte[] buffer = new byte[CHUNK_BYTES];
  private int filled;
  private int chunks;
  private long bytes;

  ChunkWriter(
      Database database, PartitionKeys keys, String partition, String generation, int part) {
    this.database = database;
    this.keys = keys;
    this.partition = partition;
    this.generation = generation;
    this.part = part;
  }

  @Override
  public void write(int value) {
    if (filled == CHUNK_BYTES) {
      cut(MORE);
    }
    buffer[filled++] = (byte) value;
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    int from = offset;
    int left = length;
    while (left > 0) {
      if (filled == CHUNK_BYTES) {
        cut(MORE);
      }
      int count = Math.min(left, CHUNK_BYTES - filled);
      System.arraycopy(source, from, buffer, filled, count);
      filled += count;
      from += count;
      left -= count;
    }
  }

  /** Writes what is left. The part is complete only then. */
  void finish() {
    cut(LAST);
    store();
  }

  /** How long the part is. */
  long bytes() {
    return bytes;
  }

  private void cut(byte flag) {
    ByteBuffer chunk = ByteBuffer.allocate(HEAD_BYTES + filled);
    chunk.put(flag).putInt(checksum(buffer, 0, filled)).put(buffer, 0, filled);
    unwritten.put(keys.checkpointChunk(partition, generation, part, chunks++), chunk.array());
    bytes += filled;
    filled = 0;
    if (unwritten.size() == CHUNKS_A_TRANSACTION) {
      store();
    }
  }

  private void store() {
    if (!unwritten.isEmpty()) {
      database.run(tx -> unwritten.forEach(tx::set));
      unwritten.clear();
    }
  }

  static int checksum(byte[] bytes, int from, int length) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, from, length);
    return (int) sum.getValue();
  }
}
