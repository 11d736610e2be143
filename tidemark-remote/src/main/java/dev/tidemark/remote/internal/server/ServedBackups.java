package dev.tidemark.remote.internal.server;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.backup.BackupSource;
import dev.tidemark.remote.internal.wire.BackupPart;
import dev.tidemark.remote.internal.wire.BackupRequest;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The backups of one server, one at a time: each keeps files on the disk while it runs. */
final class ServedBackups {
  private final Database database;
  private final Duration patience;
  private final AtomicReference<@Nullable ServedBackup> running = new AtomicReference<>();
  private volatile boolean closed;

  /** Backups of {@code database} for clients that take something within {@code patience}. */
  ServedBackups(Database database, Duration patience) {
    this.database = database;
    this.patience = patience;
  }

  /** Answers one call; returns at once. */
  void serve(BackupRequest request, StreamObserver<BackupPart> parts) {
    ServedBackup backup = new ServedBackup((ServerCallStreamObserver<BackupPart>) parts, patience);
    Thread.startVirtualThread(() -> run(backup));
  }

  private void run(ServedBackup backup) {
    if (!running.compareAndSet(null, backup)) {
      backup.fail(
          UsageException.invalidOperation(
              "The server is sending a backup already; wait for its end, or end that client"));
      return;
    }
    try {
      if (closed) {
        backup.cutOff();
      }
      source().backup(backup);
      backup.end();
    } catch (RuntimeException failure) {
      backup.fail(failure);
    } catch (Error failure) {
      backup.fail(
          UnavailableException.unreachable(
              "The server failed to make a backup: " + failure, failure));
      throw failure;
    } finally {
      running.set(null);
    }
  }

  private BackupSource source() {
    if (database instanceof BackupSource source) {
      return source;
    }
    throw UsageException.invalidOperation(
        "The served database is a %s, which has no files to copy; back it up where its files are"
            .formatted(database.getClass().getSimpleName()));
  }

  /** Ends the backup that runs, and those to come. */
  void cutOff() {
    closed = true;
    ServedBackup now = running.get();
    if (now != null) {
      now.cutOff();
    }
  }
}
