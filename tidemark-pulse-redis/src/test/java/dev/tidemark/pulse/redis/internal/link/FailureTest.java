package dev.tidemark.pulse.redis.internal.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "READONLY You can't write against a read only replica.",
        "ERR Error running script (call to f_6b1b): @user_script:5: @user_script: 5: -READONLY You"
            + " can't write against a read only replica.",
        "LOADING Redis is loading the dataset in memory",
        "NOREPLICAS Not enough good replicas to write.",
        "MISCONF Redis is configured to save RDB snapshots, but it is currently unable to persist"
            + " to disk."
      })
  void answerOfAServerThatWillTakeItLaterPasses(String answer) {
    assertThat(Failure.passes(new RedisCommandExecutionException(answer))).isTrue();
  }

  @Test
  void mistakeInAScriptDoesNotPass() {
    assertThat(
            Failure.passes(
                new RedisCommandExecutionException(
                    "ERR Error running script (call to f_6b1b): @user_script:5: WRONGTYPE Operation"
                        + " against a key")))
        .isFalse();
  }
}
