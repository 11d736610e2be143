package dev.tidemark.embedded.internal.storage;

import dev.tidemark.embedded.internal.common.Threads;
import dev.tidemark.embedded.internal.files.LogBlocks;
import dev.tidemark.embedded.internal.files.LogCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/*
 * Why the log is longer than its contents
 *
 * A sync of a file that has grown writes its bytes, and then its new length in the file system's
 * metadata. A sync of bytes that were there before writes only these: one disk wait less, a third
 * of the time of a small commit. So zeros are appended to the log, and RocksDB writes over them.
 * It cuts off the rest when it closes a log. After a crash there are zeros at the end, which
 * LogCheck and RocksDB ignore. A checkpoint copies only what RocksDB has written of a log.
 *
 * Why zeros never overwrite a commit
 *
 * They are only appended: a file that was opened for append gets them behind its last byte at the
 * time of the write, whatever other writers do. RocksDB writes at an offset of its own, which is
 * never beyond the length of the file. If both write at the end at once and the zeros are first,
 * RocksDB writes over them; if they are last, they are behind what it wrote. Local file systems of
 * Linux order the two by a lock of the file. Other file systems are not used so.
 *
 * The known length of the log is therefore an estimate: if it is wrong, there is too little room
 * for a while, or too much. On a disk that is nearly full no room is made.
 */

/** Keeps room for commits behind the end of the newest log, on a thread of its own. */
final class LogRoom implements AutoCloseable {
  /** File systems that overwrite bytes in place, and order appends and writes. */
  private static final Set<String> FILE_SYSTEMS = Set.of("ext3", "ext4", "xfs");

  /** The bytes that are appended in one step. */
  static final int STEP = 1 << 20;

  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 16).asReadOnlyBuffer();

  /** The bytes of room below which another step is made. */
  private static final int LEAST = STEP / 2;

  /** The bytes after which the newest log is looked up again. */
  private static final int LOOK = STEP / 4;

  /** For longer writes the bytes cost more than the change of the file's length. */
  private static final int LONG_WRITE = 1 << 16;

  /** The free space that the disk has to keep. */
  private static final long SPARE = 64L * STEP;

  private final Path data;
  private volatile boolean closed;

  /** Bytes written to logs since the store was opened. */
  private volatile long written;

  // Used by one writer at a time.
  private long lookAt = LOOK;
  private long writes;
  private @Nullable Thread thread;

  // Used by the thread alone: the newest log, what was written to those before it, and its length.
  private @Nullable Path log;
  private long before;
  private long size;

  LogRoom(Path data) {
    this.data = data;
  }

  /** Whether logs in {@code data} can have room. */
  static boolean isPossible(Path data) {
    try {
      return FILE_SYSTEMS.contains(Files.getFileStore(data).type());
    } catch (IOException unknown) {
      return false;
    }
  }

  /** Notes a write of {@code bytes} to the log. Not for several threads at once. */
  void written(int bytes) {
    long now = written + bytes + (bytes / LogBlocks.BLOCK + 1L) * LogBlocks.HEADER;
    written = now;
    writes++;
    if (now >= lookAt) {
      if ((now - lookAt + LOOK) / writes < LONG_WRITE) {
        wake();
      }
      lookAt = now + LOOK;
      writes = 0;
    }
  }

  private void wake() {
    if (thread == null) {
      try {
        thread = Thread.ofPlatform().name("tidemark-log-room").daemon().start(this::keep);
      } catch (OutOfMemoryError none) {
        // No thread can be started. The write is done, without room.
      }
    } else {
      LockSupport.unpark(thread);
    }
  }

  private void keep() {
    while (!closed) {
      try {
        makeRoom();
      } catch (IOException | UncheckedIOException failure) {
        // The log is gone, or the disk is full. Commits go on without room, and report real
        // failures.
      }
      if (!closed && !Thread.interrupted()) {
        LockSupport.park(this);
      }
    }
  }

  private void makeRoom() throws IOException {
    List<Path> logs = LogCheck.logs(data);
    if (logs.isEmpty()) {
      return;
    }
    Path newest = logs.getLast();
    long at = written;
    if (!newest.equals(log)) {
      log = newest;
      size = Files.size(newest);
      before = at - size;
    }
    if (size - (at - before) < LEAST && Files.getFileStore(data).getUsableSpace() >= SPARE) {
      size = Long.MAX_VALUE; // If it fails, this log gets no more room.
      size = append(newest);
    }
  }

  /** Appends a step of zeros to {@code log} and returns how long it is then. */
  private static long append(Path log) throws IOException {
    try (FileChannel file = FileChannel.open(log, StandardOpenOption.APPEND)) {
      for (int left = STEP; left > 0; ) {
        left -= file.write(ZEROS.duplicate().limit(Math.min(left, ZEROS.capacity())));
      }
      file.force(false); // So that no commit has to do it.
      return file.size();
    }
  }

  /** Ends the thread. */
  @Override
  public void close() {
    closed = true;
    Thread running = thread;
    if (running == null) {
      return;
    }
    LockSupport.unpark(running);
    Threads.awaitEnd(running);
  }
}
