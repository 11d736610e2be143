package dev.tidemark.remote.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.grpc.internal.frames.Crowd;
import dev.tidemark.grpc.internal.frames.Outbox;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

  /** Fails to make a frame; what else it does is recorded. */
  private static final class Failing extends RecordingTransport<List<String>> {
    private final CompletableFuture<Throwable> aborted = new CompletableFuture<>();

    @Override
    public void onError(Throwable failure) {
      aborted.complete(failure);
    }
  }

  private static List<String> noFrame(List<String> messages) {
    throw new OutOfMemoryError("thrown for the test, with " + messages.size() + " messages");
  }

  private static Outbox<String, List<String>> failing(Failing transport) {
    return new Outbox<>(
        transport, String::length, OutboxTest::noFrame, new Crowd(), Outbox.ENOUGH_ROOM, () -> {});
  }

  @Test
  void frameThatCannotBeMadeEndsTheStream() throws Exception {
    Failing transport = new Failing();
    Outbox<String, List<String>> outbox = failing(transport);
    outbox.enqueue("lost");
    Thread.ofPlatform().daemon().start(outbox::sendHere);
    assertThat(transport.aborted.get(20, TimeUnit.SECONDS)).isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void frameThatCannotBeMadeByTheGatheringThreadEndsTheStreamToo() throws Exception {
    Failing transport = new Failing();
    Outbox<String, List<String>> outbox = failing(transport);
    outbox.enqueue("lost");
    outbox.send();
    assertThat(transport.aborted.get(20, TimeUnit.SECONDS)).isInstanceOf(OutOfMemoryError.class);
  }

  private void sendOwn() {
    busy.enqueue("own");
    busy.sendHere();
    back.countDown();
  }
}
