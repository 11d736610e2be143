package dev.tidemark.remote.internal.client;

import dev.tidemark.remote.internal.wire.BackupPart;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * The bytes of one file of a backup, as they arrive. The end is reached only if the checksum is
 * right.
 */
final class IncomingFile extends InputStream {
  private final String path;
  private final Supplier<BackupPart> parts;
  private final CRC32C checksum = new CRC32C();
  private ByteBuffer rest = ByteBuffer.allocate(0);
  private boolean ended;

  /** The file at {@code path}, whose parts come next from {@code parts}. */
  IncomingFile(String path, Supplier<BackupPart> parts) {
    this.path = path;
    this.parts = parts;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (!rest.hasRemaining() && !ended) {
      take(parts.get());
    }
    int count = Math.min(length, rest.remaining());
    rest.get(target, from, count);
    return count == 0 ? -1 : count;
  }

  private void take(BackupPart part) throws IOException {
    if (part.hasContent()) {
      rest = part.getContent().asReadOnlyByteBuffer();
      checksum.update(rest.duplicate());
    } else if (part.hasFileEnd()) {
      ended = true;
      if (part.getFileEnd().getChecksum() != (int) checksum.getValue()) {
        throw new IOException(
            "the file %s came with another checksum than it was sent with".formatted(path));
      }
    } else {
      throw new IOException("the server sent %s within a file".formatted(part.getPartCase()));
    }
  }

  /** Throws unless all of it was read. */
  void requireEnd() throws IOException {
    if (read() >= 0) {
      throw new IOException("the file %s is longer than the server said".formatted(path));
    }
  }
}
