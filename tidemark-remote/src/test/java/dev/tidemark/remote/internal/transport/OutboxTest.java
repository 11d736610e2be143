package dev.tidemark.remote.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.grpc.internal.frames.Crowd;
import dev.tidemark.grpc.internal.frames.Outbox;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class OutboxTest {
  private final RecordingTransport<List<String>> transport = new RecordingTransport<>();
  private final CountDownLatch back = new CountDownLatch(1);

  /** While a frame is being sent, somebody else puts another message in line. */
  private final Outbox<String, List<String>> busy =
      new Outbox<>(
          transport, String::length, List::copyOf, new Crowd(), Outbox.ENOUGH_ROOM, this::another);

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
    assertThat(transport.sent.poll(20, TimeUnit.SECONDS)).containsExactly("own");
    assertThat(transport.sent.poll(20, TimeUnit.SECONDS)).containsExactly("other");
  }

  private void sendOwn() {
    busy.enqueue("own");
    busy.sendHere();
    back.countDown();
  }
}
