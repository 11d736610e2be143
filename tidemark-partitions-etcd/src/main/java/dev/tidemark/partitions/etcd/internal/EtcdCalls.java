package dev.tidemark.partitions.etcd.internal;

import dev.tidemark.kv.CommitUnknownException;
import dev.tidemark.kv.DatabaseException;
import dev.tidemark.kv.InterruptedOperationException;
import dev.tidemark.kv.LimitExceededException;
import dev.tidemark.kv.UnavailableException;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.common.exception.CompactedException;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The calls of etcd, each with a deadline, and with our own exceptions. */
public final class EtcdCalls {
  private static final int TRANSACTION_TOO_LARGE = 2101;

  /** The client's own deadline ends a call first, so that its reason is known. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final KV kv;
  private final Duration timeout;
  private final int operationsMax;

  public EtcdCalls(Client client, Duration timeout, int operationsMax) {
    this.kv = client.getKVClient();
    this.timeout = timeout;
    this.operationsMax = operationsMax;
  }

  /** Ends every single call after {@code timeout}, at etcd too; streams go on. */
  public static ClientInterceptor deadline(Duration timeout) {
    return new ClientInterceptor() {
      @Override
      public <Q, R> ClientCall<Q, R> interceptCall(
          MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        boolean single = method.getType() == MethodDescriptor.MethodType.UNARY;
        return next.newCall(
            method,
            single ? options.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS) : options);
      }
    };
  }

  /** Reads something, to see that etcd answers. */
  public void check(String prefix) {
    get(ByteSequence.from(prefix, StandardCharsets.UTF_8), GetOption.DEFAULT);
  }

  /** The revision that a read asked for is gone; the transition starts anew with a later one. */
  static final class OutdatedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutdatedException(Throwable cause) {
      super(cause);
    }
  }

  GetResponse get(ByteSequence key, GetOption option) {
    try {
      return await(kv.get(key, option));
    } catch (ExecutionException failure) {
      throw read(cause(failure));
    } catch (TimeoutException late) {
      throw unanswered(late);
    }
  }

  /** Several reads in one step. */
  List<GetResponse> getAll(List<Op> reads) {
    try {
      return await(kv.txn().Then(reads.toArray(Op[]::new)).commit()).getGetResponses();
    } catch (ExecutionException failure) {
      throw read(cause(failure));
    } catch (TimeoutException late) {
      throw unanswered(late);
    }
  }

  int operationsMax() {
    return operationsMax;
  }

  /** Writes if nothing that was read has changed; whether it was so. */
  boolean commit(List<Cmp> seen, List<Op> writes) {
    int size = Math.max(seen.size(), writes.size());
    if (size > operationsMax) {
      throw LimitExceededException.reported(
          TRANSACTION_TOO_LARGE,
          "A transition compares %,d and writes %,d rows; etcd takes %,d of each in a transaction (--max-txn-ops, EtcdOptions.withOperationsMax)"
              .formatted(seen.size(), writes.size(), operationsMax),
          size,
          operationsMax);
    }
    try {
      TxnResponse response =
          await(kv.txn().If(seen.toArray(Cmp[]::new)).Then(writes.toArray(Op[]::new)).commit());
      return response.isSucceeded();
    } catch (ExecutionException failure) {
      throw write(cause(failure));
    } catch (TimeoutException late) {
      throw unknown(late);
    }
  }

  private <T> T await(CompletableFuture<T> call) throws ExecutionException, TimeoutException {
    try {
      return call.get(timeout.plus(GRACE).toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupt) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw new InterruptedOperationException("Interrupted while waiting for etcd", interrupt);
    }
  }

  private static Throwable cause(ExecutionException failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure : cause;
  }

  private UnavailableException unanswered(Throwable cause) {
    return UnavailableException.unanswered(
        "etcd did not answer within %s; see whether it runs and has a leader".formatted(timeout),
        cause);
  }

  private CommitUnknownException unknown(Throwable cause) {
    return new CommitUnknownException(
        "etcd did not tell within %s whether a change happened; look before it is repeated"
            .formatted(timeout),
        cause);
  }

  private RuntimeException read(Throwable cause) {
    return switch (code(cause)) {
      case OUT_OF_RANGE -> new OutdatedException(cause);
      case DEADLINE_EXCEEDED -> unanswered(cause);
      default -> refused(cause);
    };
  }

  /** Only what etcd says before it does anything is known not to have happened. */
  private RuntimeException write(Throwable cause) {
    return switch (code(cause)) {
      case INVALID_ARGUMENT,
          PERMISSION_DENIED,
          UNAUTHENTICATED,
          FAILED_PRECONDITION,
          RESOURCE_EXHAUSTED ->
          refused(cause);
      default -> unknown(cause);
    };
  }

  /** The client reports some failures as its own exceptions and others as those of gRPC. */
  private static Status.Code code(Throwable cause) {
    if (cause instanceof CompactedException) {
      return Status.Code.OUT_OF_RANGE;
    }
    return cause instanceof EtcdException known
        ? Status.Code.valueOf(known.getErrorCode().name())
        : Status.fromThrowable(cause).getCode();
  }

  private static DatabaseException refused(Throwable cause) {
    return UnavailableException.unreachable("etcd refused a call: " + cause.getMessage(), cause);
  }
}
