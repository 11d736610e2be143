package dev.tidemark.remote.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.grpc.internal.frames.Sleepers;
import dev.tidemark.kv.UnavailableException;
import dev.tidemark.kv.spi.commit.Commit;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commits of a client whose server is closing. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class CallTest {
  private final Call commit = new Call(1, new byte[0], 0);

  @Test
  void commitThatWasSentStillGetsItsReply() {
    commit.take();
    assertThat(commit.loseUnsent("the server is closing")).isFalse();
    Commit.Position position = new Commit.Position(7, 0);
    assertThat(commit.answer(new ReceivedReply.Committed(position))).isTrue();
    commit.end(new Sleepers());
    assertThat(commit.awaitCommit(() -> Long.MAX_VALUE)).isEqualTo(position);
  }

  @Test
  void commitInLineIsNotSentAndNotInDoubt() {
    assertThat(commit.loseUnsent("the server is closing")).isTrue();
    assertThat(commit.take()).isNull();
    assertThatThrownBy(() -> commit.awaitCommit(() -> Long.MAX_VALUE))
        .isInstanceOf(UnavailableException.class);
  }

  /** It stays in line as long as the server asks for no more frames. */
  @Test
  void callThatIsWithdrawnHoldsNothingOfItsRequest() {
    byte @Nullable [] request = new byte[1 << 20];
    WeakReference<byte[]> gone = new WeakReference<>(request);
    Call call = new Call(1, request, 0);
    request = null;
    call.expire("The test does not wait");
    for (int i = 0; i < 100 && gone.get() != null; i++) {
      System.gc();
    }
    assertThat(gone.get()).isNull();
    assertThat(call.take()).isNull();
    assertThat(call.size()).isEqualTo(1 << 20);
  }
}
