package dev.tidemark.remote.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.spi.commit.CommitId;
import org.junit.jupiter.api.Test;

class CommitsInDoubtTest {
  private static final ByteString ONE = ByteString.copyFromUtf8("one");
  private static final ByteString OTHER = ByteString.copyFromUtf8("other");

  private final CommitsInDoubt commits = new CommitsInDoubt();

  @Test
  void commitIsOfTheStoreThatItWasSentToUntilItIsSettled() {
    CommitId id = CommitId.next();
    commits.add(id, ONE);
    assertThat(commits.isOfAnother(id, ONE)).isFalse();
    assertThat(commits.isOfAnother(id, OTHER)).isTrue();
    commits.settled(id);
    assertThat(commits.isOfAnother(id, OTHER)).isFalse();
  }

  @Test
  void oldestIsForgottenWhereNobodySettlesThem() {
    CommitId first = CommitId.next();
    CommitId second = CommitId.next();
    commits.add(first, ONE);
    commits.add(second, ONE);
    CommitId last = second;
    for (int i = 2; i <= CommitsInDoubt.MOST; i++) {
      last = CommitId.next();
      commits.add(last, ONE);
    }
    assertThat(commits.isOfAnother(first, OTHER)).isFalse();
    assertThat(commits.isOfAnother(second, OTHER)).isTrue();
    assertThat(commits.isOfAnother(last, OTHER)).isTrue();
  }
}
