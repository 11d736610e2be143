package dev.tidemark.remote.internal.server;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.backup.BackupTarget;
import dev.tidemark.remote.internal.transport.Failures;
import dev.tidemark.remote.internal.wire.BackupBegun;
import dev.tidemark.remote.internal.wire.BackupEnd;
import dev.tidemark.remote.internal.wire.BackupFile;
import dev.tidemark.remote.internal.wire.BackupFileEnd;
import dev.tidemark.remote.internal.wire.BackupPart;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;

/**
 * One backup on its way to a client. At most a few parts are in memory: the next one is read when
 * the network has room for it.
 */
final class ServedBackup implements BackupTarget {
  private static final int PART_BYTES = 128 << 10;

  private final ServerCallStreamObserver<BackupPart> parts;
  private final long patienceNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Set under the lock. */
  private boolean cutOff;

  /** Created in the handler of the call, before it returns. */
  ServedBackup(ServerCallStreamObserver<BackupPart> parts, Duration patience) {
    this.parts = parts;
    this.patienceNanos = patience.toNanos();
    parts.setOnReadyHandler(this::wake);
    parts.setOnCancelHandler(this::wake);
  }

  private void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void begin(int files, long bytes) throws IOException {
    BackupBegun begun = BackupBegun.newBuilder().setFiles(files).setBytes(bytes).build();
    send(BackupPart.newBuilder().setBegun(begun).build());
  }

  @Override
  public void file(String path, long bytes, InputStream content) throws IOException {
    BackupFile file = BackupFile.newBuilder().setPath(path).setBytes(bytes).build();
    send(BackupPart.newBuilder().setFile(file).build());
    CRC32C checksum = new CRC32C();
    byte[] buffer = new byte[PART_BYTES];
    int read = content.readNBytes(buffer, 0, buffer.length);
    while (read > 0) {
      checksum.update(buffer, 0, read);
      send(BackupPart.newBuilder().setContent(ByteString.copyFrom(buffer, 0, read)).build());
      read = content.readNBytes(buffer, 0, buffer.length);
    }
    BackupFileEnd end = BackupFileEnd.newBuilder().setChecksum((int) checksum.getValue()).build();
    send(BackupPart.newBuilder().setFileEnd(end).build());
  }

  private void send(BackupPart part) throws IOException {
    lock.lock();
    try {
      long left = patienceNanos;
      while (!isOver() && !parts.isReady()) {
        if (left <= 0) {
          throw new IOException("the client does not take the backup");
        }
        left = changed.awaitNanos(left);
      }
      if (isOver()) {
        throw new IOException(cutOff ? "the server is closing" : "the client has gone");
      }
      parts.onNext(part);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new IOException("the backup was interrupted", interrupt);
    } finally {
      lock.unlock();
    }
  }

  private boolean isOver() {
    return cutOff || parts.isCancelled();
  }

  /** Ends the backup before its end, because the server is closing. */
  void cutOff() {
    lock.lock();
    try {
      cutOff = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Tells the client that it has everything. */
  void end() {
    parts.onNext(BackupPart.newBuilder().setEnd(BackupEnd.getDefaultInstance()).build());
    parts.onCompleted();
  }

  /** Tells the client why it does not get everything. */
  void fail(RuntimeException failure) {
    if (parts.isCancelled()) {
      return;
    }
    if (cutOff) {
      parts.onError(
          Status.UNAVAILABLE.withDescription("the server is closing").asRuntimeException());
    } else if (!parts.isReady()) {
      // A further message would wait behind those that the client does not take.
      parts.onError(
          Status.RESOURCE_EXHAUSTED.withDescription(failure.getMessage()).asRuntimeException());
    } else {
      parts.onNext(BackupPart.newBuilder().setFailure(Failures.toWire(failure)).build());
      parts.onCompleted();
    }
  }
}
