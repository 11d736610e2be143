package dev.tidemark.remote.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.CallStreamObserver;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class OutboxTest {
  private final BlockingQueue<List<String>> sent = new LinkedBlockingQueue<>();
  private final CountDownLatch back = new CountDownLatch(1);

  /** While a frame is being sent, somebody else puts another message in line. */
  private final Outbox<String, List<String>> busy =
      new Outbox<>(new Transport(), String::length, List::copyOf, new Crowd(), this::another);

  private void another() {
    if (back.getCount() > 0) {
      busy.enqueue("other");
    }
  }

  @Test
  void threadThatSendsItsOwnMessageIsNotKeptForThoseOfOthers() throws Exception {
    Thread caller = Thread.ofPlatform().daemon().start(this::sendOwn);
    assertThat(back.await(20, TimeUnit.SECONDS)).isTrue();
    caller.join();
    assertThat(sent.poll(20, TimeUnit.SECONDS)).containsExactly("own");
    assertThat(sent.poll(20, TimeUnit.SECONDS)).containsExactly("other");
  }

  private void sendOwn() {
    busy.enqueue("own");
    busy.sendHere();
    back.countDown();
  }

  private final class Transport extends CallStreamObserver<List<String>> {
    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void onNext(List<String> frame) {
      if (sent.size() < 1_000) {
        sent.add(frame);
      }
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void request(int count) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }
}
