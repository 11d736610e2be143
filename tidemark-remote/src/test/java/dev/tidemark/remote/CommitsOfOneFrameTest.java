package dev.tidemark.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.Key;
import dev.tidemark.remote.internal.wire.CommitWrites;
import dev.tidemark.remote.internal.wire.Committed;
import dev.tidemark.remote.internal.wire.Failure;
import dev.tidemark.remote.internal.wire.Mutation;
import dev.tidemark.remote.internal.wire.Reply;
import dev.tidemark.remote.internal.wire.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Commits that arrive in one frame; each gets its own reply. */
class CommitsOfOneFrameTest extends ServedCase {
  @Test
  void plainCommitsOfAFrameAreCarriedOutInTheirOrder() throws Exception {
    Request[] commits = new Request[20];
    for (int i = 0; i < commits.length; i++) {
      commits[i] = commit(10 + i, plain(Mutation.Type.SET, "k" + i));
    }
    List<Committed> committed = replies(commits).stream().map(Reply::getCommitted).toList();
    assertThat(committed)
        .doesNotHaveDuplicates()
        .isSortedAccordingTo(
            Comparator.comparingLong(Committed::getVersion).thenComparingInt(Committed::getBatch));
    assertThat(committed.getFirst().getVersion()).isPositive();
    for (int i = 0; i < commits.length; i++) {
      assertThat(value("k" + i)).isPresent();
    }
    assertThat(server.statistics().commits()).isEqualTo(commits.length);
  }

  @Test
  void eachCommitOfAFrameSucceedsOrFailsByItself() throws Exception {
    served.run(tx -> tx.set(Key.utf8("read"), new byte[] {1}));
    CommitWrites.Builder tooOld =
        plain(Mutation.Type.SET, "old").setReadVersion(1).addReadKeys(utf8("read"));
    List<Reply> replies =
        replies(
            commit(10, plain(Mutation.Type.SET, "a")),
            commit(11, tooOld),
            commit(12, plain(Mutation.Type.ADD, "sum")),
            commit(
                13, plain(Mutation.Type.SET, "a\0").setTimeoutNanos(TimeUnit.MINUTES.toNanos(1))),
            commit(14, CommitWrites.newBuilder()),
            commit(15, plain(Mutation.Type.CLEAR, "read")));
    assertThat(replies.get(1).getFailure().getKind()).isEqualTo(Failure.Kind.TRANSACTION_TOO_OLD);
    assertThat(replies.get(4).getFailure().getKind()).isEqualTo(Failure.Kind.USAGE);
    for (int i : new int[] {0, 2, 3, 5}) {
      assertThat(replies.get(i).hasCommitted()).as("commit %d", i).isTrue();
    }
    assertThat(value("a")).isPresent();
    assertThat(value("old")).isEmpty();
    assertThat(value("sum")).isPresent();
    assertThat(value("read")).isEmpty();
    assertThat(server.statistics().commits()).isEqualTo(4);
    assertThat(server.statistics().commitsRefused()).isEqualTo(2);
    assertThat(served.statistics().openTransactions()).isZero();
  }

  /** Replies in the order of the requests. */
  private List<Reply> replies(Request... requests) throws Exception {
    List<Reply> replies = new ArrayList<>();
    try (RawClient client = RawClient.reading(server).greet()) {
      client.reply();
      client.send(requests);
      while (replies.size() < requests.length) {
        replies.add(client.reply());
      }
    }
    replies.sort(Comparator.comparingLong(Reply::getId));
    return replies;
  }

  private Optional<byte[]> value(String key) {
    return served.read(tx -> tx.get(Key.utf8(key)));
  }

  private static CommitWrites.Builder plain(Mutation.Type type, String key) {
    return CommitWrites.newBuilder()
        .addMutations(
            Mutation.newBuilder().setType(type).setKey(utf8(key)).setOperand(utf8("12345678")));
  }

  private static Request commit(long id, CommitWrites.Builder writes) {
    return Request.newBuilder().setId(id).setCommitWrites(writes).build();
  }

  private static ByteString utf8(String text) {
    return ByteString.copyFromUtf8(text);
  }
}
