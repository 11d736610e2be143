package dev.tidemark.partitions.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.partitions.PartitionException;
import dev.tidemark.partitions.PartitionException.Reason;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class UnawaitedRequestTest {
  private static PartitionCall<?> call(Ended told) {
    return new PartitionCall.Told(
        TimeSource.system(), "type", 1, Key.utf8("k"), Optional.empty(), "request", told);
  }

  @Test
  void aRequestThatIsBegunAgainBeforeItsBeginningReturnsCanStillExpire() {
    CompletableFuture<Reason> end = new CompletableFuture<>();
    CompletableFuture<Thread> mover = new CompletableFuture<>();
    UnawaitedRequest.Calls calls =
        new UnawaitedRequest.Calls() {
          @Override
          public PartitionCall<?> begin(Ended told) {
            PartitionCall<?> first = call(told);
            first.fail(new PartitionException(Reason.MOVED, "moved meanwhile"));
            try {
              mover.join().join();
            } catch (InterruptedException interrupt) {
              throw new AssertionError(interrupt);
            }
            return first;
          }

          @Override
          public PartitionCall<?> beginAgain(Ended told, PartitionException moved) {
            mover.complete(Thread.currentThread());
            return call(told);
          }

          @Override
          public PartitionException explained(PartitionException failure) {
            return failure;
          }
        };
    UnawaitedRequest request =
        new UnawaitedRequest(
            calls,
            new Ended() {
              @Override
              public void answered(byte[] answer) {
                end.completeExceptionally(new AssertionError("nobody answers"));
              }

              @Override
              public void failed(PartitionException why) {
                end.complete(why.reason());
              }

              @Override
              public void flush() {}
            });
    request.begin();

    request.expire(new PartitionException(Reason.TIMED_OUT, "too late"));

    assertThat(end).isCompletedWithValue(Reason.TIMED_OUT);
  }
}
