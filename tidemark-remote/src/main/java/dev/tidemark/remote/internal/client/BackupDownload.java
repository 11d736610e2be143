package dev.tidemark.remote.internal.client;

import dev.tidemark.grpc.GrpcChannel;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.StorageException;
import dev.tidemark.kv.StorageException.Kind;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.backup.BackupTarget;
import dev.tidemark.remote.internal.transport.Failures;
import dev.tidemark.remote.internal.wire.BackupPart;
import dev.tidemark.remote.internal.wire.BackupRequest;
import dev.tidemark.remote.internal.wire.StoreGrpc;
import io.grpc.CallOptions;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One backup on its way from the server. Parts come on a thread of the network; a few of them wait
 * here, and the server sends the next when one was taken.
 */
final class BackupDownload implements ClientResponseObserver<BackupRequest, BackupPart> {
  private static final int PARTS_WAITING = 8;

  /** How long the server may take for the next part at least: it may have to flush much first. */
  private static final Duration PATIENCE_MIN = Duration.ofMinutes(1);

  private final GrpcChannel channel;
  private final Duration patience;
  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();

  /** Set by {@link #beforeStart}, before anything comes. */
  private ClientCallStreamObserver<BackupRequest> call;

  /**
   * What came.
   *
   * @param part a part, or null where the call has ended
   * @param end how it has
   */
  private record Event(@Nullable BackupPart part, Status end) {}

  @SuppressWarnings("NullAway.Init") // gRPC calls beforeStart while the call is being made
  private BackupDownload(GrpcChannel channel, Duration requestTimeout) {
    this.channel = channel;
    this.patience = requestTimeout.compareTo(PATIENCE_MIN) > 0 ? requestTimeout : PATIENCE_MIN;
  }

  /** Asks the server behind {@code channel} for a backup and hands it to {@code target}. */
  static void into(BackupTarget target, GrpcChannel channel, Duration requestTimeout) {
    BackupDownload download = new BackupDownload(channel, requestTimeout);
    ClientCalls.asyncServerStreamingCall(
        channel.channel().newCall(StoreGrpc.getBackupMethod(), CallOptions.DEFAULT),
        BackupRequest.getDefaultInstance(),
        download);
    try {
      download.hand(target);
    } catch (IOException failure) {
      throw new StorageException(
          Kind.IO_ERROR, "Writing the backup failed: " + failure.getMessage(), failure);
    } finally {
      download.call.cancel("the client has ended the backup", null);
    }
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<BackupRequest> request) {
    call = request;
    request.disableAutoRequestWithInitial(PARTS_WAITING);
  }

  @Override
  public void onNext(BackupPart part) {
    events.add(new Event(part, Status.OK));
  }

  @Override
  public void onError(Throwable failure) {
    events.add(new Event(null, Status.fromThrowable(failure)));
  }

  @Override
  public void onCompleted() {
    events.add(new Event(null, Status.UNAVAILABLE.withDescription("it ended before its end")));
  }

  private void hand(BackupTarget target) throws IOException {
    BackupPart part = next();
    while (!part.hasEnd()) {
      switch (part.getPartCase()) {
        case BEGUN -> target.begin(part.getBegun().getFiles(), part.getBegun().getBytes());
        case FILE -> {
          IncomingFile file = new IncomingFile(part.getFile().getPath(), this::next);
          target.file(part.getFile().getPath(), part.getFile().getBytes(), file);
          file.requireEnd();
        }
        case CONTENT, FILE_END, END, FAILURE, PART_NOT_SET ->
            throw new IOException("the server sent %s between files".formatted(part.getPartCase()));
      }
      part = next();
    }
  }

  private BackupPart next() {
    try {
      Event event = events.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
      if (event == null) {
        throw UnavailableException.unanswered(
            "The server at %s sent nothing of the backup for %s"
                .formatted(channel.address(), patience),
            null);
      }
      BackupPart part = event.part();
      if (part == null) {
        throw lost(event.end());
      }
      if (part.hasFailure()) {
        throw Failures.toException(part.getFailure(), false);
      }
      call.request(1);
      return part;
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while taking a backup", interrupt);
    }
  }

  private DatabaseException lost(Status status) {
    return switch (status.getCode()) {
      case UNAVAILABLE, CANCELLED, RESOURCE_EXHAUSTED, UNKNOWN, INTERNAL ->
          UnavailableException.unreachable(
              "The backup from %s was cut short: %s. Make it again"
                  .formatted(channel.address(), status.getDescription()),
              status.asRuntimeException());
      default -> channel.failure(status, status.asRuntimeException());
    };
  }
}
