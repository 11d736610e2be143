package dev.tidemark.partitions.internal.engine;

import static dev.tidemark.partitions.internal.engine.EngineTest.reasonOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.partitions.PartitionException.Reason;
import dev.tidemark.partitions.internal.engine.EngineOptions.AnswerLimits;
import dev.tidemark.partitions.internal.log.LogRecord.Answered;
import dev.tidemark.partitions.internal.log.RequestId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is remembered for repeated requests is bounded in number and in time. */
class AnswersTest {
  private static final long SECOND = 1_000_000;

  private final Answers answers = new Answers(new AnswerLimits(2, 3, Duration.ofSeconds(10)));

  private static RequestId id(String client, long sequence) {
    return new RequestId(Key.utf8(client), sequence, 0);
  }

  private void remember(String client, long sequence, long second) {
    answers.remember(
        new Answered(id(client, sequence), new byte[] {(byte) sequence}), second * SECOND);
  }

  private void forgotten(String client, long sequence) {
    assertThat(reasonOf(() -> answers.find(id(client, sequence)))).isEqualTo(Reason.FORGOTTEN);
  }

  private void kept(String client, long sequence) {
    assertThat(answers.find(id(client, sequence)).orElseThrow()).containsExactly((byte) sequence);
  }

  @Test
  void anAnswerIsForgottenAfterItsTime() {
    remember("a", 1, 0);
    remember("a", 2, 8);
    kept("a", 1);

    remember("a", 3, 11);

    forgotten("a", 1);
    kept("a", 2);
    kept("a", 3);
  }

  @Test
  void ofTooManyAnswersOfAClientTheOldestAreForgotten() {
    for (long sequence = 1; sequence <= 4; sequence++) {
      remember("a", sequence, sequence);
    }
    forgotten("a", 1);
    kept("a", 2);
    kept("a", 4);
  }

  @Test
  void whatAClientSaysIsSettledIsNotKept() {
    remember("a", 1, 0);
    remember("a", 2, 0);
    answers.remember(new Answered(new RequestId(Key.utf8("a"), 3, 2), new byte[] {3}), 0);
    forgotten("a", 1);
    kept("a", 2);
  }

  @Test
  void ofTooManyClientsTheOneThatWasSilentLongestIsForgotten() {
    remember("a", 1, 0);
    remember("b", 1, 1);
    remember("a", 2, 2);

    remember("c", 1, 3);

    assertThat(answers.find(id("b", 1))).isEmpty();
    kept("a", 1);
    kept("c", 1);
  }

  @Test
  void aClientThatWasSilentForLongerThanTheTimeIsForgotten() {
    remember("a", 1, 0);
    remember("b", 1, 11);
    assertThat(answers.find(id("a", 1))).isEmpty();
    kept("b", 1);
  }
}
