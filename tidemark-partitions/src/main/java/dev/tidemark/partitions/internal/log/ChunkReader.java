package dev.tidemark.partitions.internal.log;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.store.PartitionKeys;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** Reads a part of a checkpoint, some chunks in a transaction. */
final class ChunkReader extends InputStream {
  private static final int CHUNKS_A_TRANSACTION = 10;

  private final Database database;
  private final KeyRange part;
  private final String what;
  private final Deque<byte[]> fetched = new ArrayDeque<>();
  private KeyRange rest;
  private byte[] chunk = new byte[ChunkWriter.HEAD_BYTES];
  private int position = ChunkWriter.HEAD_BYTES;
  private boolean ended;

  ChunkReader(
      Database database, PartitionKeys keys, String partition, String generation, int part) {
    this.database = database;
    this.part = keys.checkpointPart(partition, generation, part);
    this.rest = this.part;
    this.what = "Part %d of the checkpoint %s of %s".formatted(part, generation, partition);
  }

  @Override
  public int read() {
    return isAtEnd() ? -1 : chunk[position++] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (isAtEnd()) {
      return -1;
    }
    int count = Math.min(length, chunk.length - position);
    System.arraycopy(chunk, position, target, offset, count);
    position += count;
    return count;
  }

  private boolean isAtEnd() {
    while (position == chunk.length) {
      if (ended) {
        return true;
      }
      next();
    }
    return false;
  }

  private void next() {
    if (fetched.isEmpty()) {
      fetch();
    }
    chunk = fetched.remove();
    position = ChunkWriter.HEAD_BYTES;
    int length = chunk.length - position;
    int sum = ByteBuffer.wrap(chunk).getInt(1);
    if (sum != ChunkWriter.checksum(chunk, position, length)) {
      throw new PartitionException(
          Reason.CORRUPT, what + " does not have the checksum that it was written with");
    }
    ended = chunk[0] == ChunkWriter.LAST;
  }

  private void fetch() {
    KeyRange range = rest;
    for (KeyValue row : database.read(tx -> tx.scan(range).limit(CHUNKS_A_TRANSACTION).list())) {
      fetched.add(row.value());
      rest = new KeyRange(row.key().next(), part.end());
    }
    if (fetched.isEmpty()) {
      throw new PartitionException(Reason.CORRUPT, what + " ends before its last chunk");
    }
  }
}
