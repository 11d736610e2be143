package dev.tidemark.remote.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.UnavailableException;
import dev.tidemark.remote.internal.wire.Committed;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commits of a client whose server is closing. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class CallTest {
  private final Call commit = new Call(Request.newBuilder().setId(1).build(), 0);

  @Test
  void commitThatWasSentStillGetsItsReply() {
    commit.take();
    assertThat(commit.loseUnsent("the server is closing")).isFalse();
    Reply reply = Reply.newBuilder().setCommitted(Committed.newBuilder().setVersion(7)).build();
    assertThat(commit.answer(reply)).isTrue();
    assertThat(commit.awaitCommit(() -> Long.MAX_VALUE)).isEqualTo(reply);
  }

  @Test
  void commitInLineIsNotSentAndNotInDoubt() {
    assertThat(commit.loseUnsent("the server is closing")).isTrue();
    assertThat(commit.take()).isFalse();
    assertThatThrownBy(() -> commit.awaitCommit(() -> Long.MAX_VALUE))
        .isInstanceOf(UnavailableException.class);
  }
}
