package dev.tidemark.testkit.spanner;

import com.google.protobuf.ByteString;
import com.google.protobuf.Value;
import com.google.spanner.v1.PartialResultSet;
import com.google.spanner.v1.ResultSetMetadata;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The rows of one answer, each with a token from which the client can resume. */
final class SentRows implements SpannerScript.Rows {
  private final ServerCallStreamObserver<PartialResultSet> answer;
  private final boolean postgreSql;
  private final long known;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private long number;
  private boolean described;

  SentRows(
      ServerCallStreamObserver<PartialResultSet> answer, boolean postgreSql, ByteString resume) {
    this.answer = answer;
    this.postgreSql = postgreSql;
    this.known = resume.isEmpty() ? 0 : Long.parseLong(resume.toStringUtf8());
    answer.setOnReadyHandler(this::signal);
    answer.setOnCancelHandler(this::signal);
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void record(String json) throws InterruptedException {
    Value row = SpannerRows.row(json, postgreSql);
    send(postgreSql ? SpannerRows.POSTGRESQL : SpannerRows.GOOGLE_SQL, row);
  }

  @Override
  public void prepared(PreparedRows rows) throws InterruptedException {
    if (number > 0 || known > 0) {
      throw new IllegalStateException("Prepared rows are the whole answer, and are not resumed");
    }
    described = true;
    for (PartialResultSet part : rows.parts(postgreSql)) {
      awaitReady();
      answer.onNext(part);
    }
  }

  @Override
  public void mutableKeyRange() throws InterruptedException {
    send(SpannerRows.MUTABLE_KEY_RANGE, Value.newBuilder().setStringValue("AQ==").build());
  }

  private void send(ResultSetMetadata type, Value row) throws InterruptedException {
    if (++number <= known) {
      return;
    }
    PartialResultSet.Builder part =
        PartialResultSet.newBuilder()
            .addValues(row)
            .setResumeToken(ByteString.copyFromUtf8(Long.toString(number)));
    if (!described) {
      described = true;
      part.setMetadata(type);
    }
    awaitReady();
    answer.onNext(part.build());
  }

  private void awaitReady() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!answer.isReady() && !answer.isCancelled()) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
    if (answer.isCancelled()) {
      throw new InterruptedException("The client has cancelled the query");
    }
  }

  @Override
  public void hang() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!answer.isCancelled()) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
    throw new InterruptedException("The client has cancelled the query");
  }

  /** Ends the answer; one without a row still has its type. */
  void complete() {
    if (!described) {
      answer.onNext(
          PartialResultSet.newBuilder()
              .setMetadata(postgreSql ? SpannerRows.POSTGRESQL : SpannerRows.GOOGLE_SQL)
              .build());
    }
    answer.onCompleted();
  }

  /** Ends the answer with {@code failure}, unless the client is gone. */
  void fail(RuntimeException failure) {
    if (!answer.isCancelled()) {
      answer.onError(failure);
    }
  }
}
