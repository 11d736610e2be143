package dev.tidemark.partitions.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.kv.UsageException;
import dev.tidemark.partitions.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyYamlTest {
  @Test
  void thresholdHasAllItsLimits() {
    Policy policy =
        Policy.parse(
            """
            algorithm: threshold
            check_interval: 20s
            failover: manual
            cooldown: {global: 30s, partition: 1m}
            split: {rps_threshold: 1000, key_threshold: 2000}
            merge: {rps_threshold: 100, key_threshold: 500, stable_rounds: 4}
            balance: {max_partition_diff: 1, rps_imbalance_pct: 20}
            """);

    assertThat(policy.checkInterval()).isEqualTo(Duration.ofSeconds(20));
    assertThat(policy.failover()).isEqualTo(Policy.Failover.MANUAL);
    assertThat(policy.cooldown())
        .isEqualTo(new Policy.Cooldown(Duration.ofSeconds(30), Duration.ofMinutes(1)));
    assertThat(policy.split()).isEqualTo(new Policy.Split(1000, 2000, 0, 0, 10_000));
    assertThat(policy.merge()).isEqualTo(new Policy.Merge(100, 500, 4));
    assertThat(policy.balance()).isEqualTo(new Policy.Balance(true, 1, 20));
  }

  @Test
  void policyOfTheGuideIsUnderstood() throws IOException {
    String guide =
        Files.readString(
            Path.of(System.getProperty("tidemark.root", ".."), "docs/partitions-operations.md"));
    int begin = guide.indexOf("```yaml\n") + "```yaml\n".length();
    Policy policy = Policy.parse(guide.substring(begin, guide.indexOf("```", begin)));

    assertThat(policy.split().maxPartitions()).isEqualTo(10_000);
    assertThat(policy.merge()).isEqualTo(new Policy.Merge(100, 10_000, 3));
  }

  @Test
  void autoNeedsTwoFieldsOnly() {
    Policy policy = Policy.parse("{algorithm: auto, split_threshold: 500, check_interval: 10s}");

    assertThat(policy).isEqualTo(Policy.auto(500, Duration.ofSeconds(10)));
    assertThat(policy.isAutomatic()).isTrue();
  }

  @Test
  void relativeAndManualAreAccepted() {
    Policy relative =
        Policy.parse(
            "{algorithm: relative, check_interval: 1m, split: {rps_multiplier: 3, min_avg_rps:"
                + " 9}}");

    assertThat(relative.split().rpsMultiplier()).isEqualTo(3);
    assertThat(relative.merge().isOn()).isFalse();
    assertThat(Policy.parse("algorithm: manual")).isEqualTo(Policy.manual());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {algorithm: magic}                                                        | must be manual, auto
          {check_interval: 1s}                                                      | has no algorithm
          {algorithm: threshold}                                                    | has no check_interval
          {algorithm: auto, check_interval: 1s}                                     | has no split_threshold
          {algorithm: auto, check_interval: soon, split_threshold: 1}               | a time such as
          {algorithm: auto, check_interval: 0s, split_threshold: 1}                 | longer than nothing
          {algorithm: auto, check_interval: 999999999h, split_threshold: 1}         | at most 8760h
          {algorithm: threshold, check_interval: 1s, cooldown: {global: 9999999h}}  | at most 8760h
          {algorithm: auto, check_interval: 1s, split_threshold: -1}                | 0 or more
          {algorithm: auto, check_interval: 1s, split_threshold: 1, splitt: 2}      | unknown field splitt
          {algorithm: threshold, check_interval: 1s, split: {rps: 1}}               | unknown field split.rps
          {algorithm: threshold, check_interval: 1s, split: 7}                      | must be a mapping
          {algorithm: threshold, check_interval: 1s, split: {rps_threshold: 10}, merge: {rps_threshold: 6}} | at most half
          {algorithm: threshold, check_interval: 1s, merge: {rps_threshold: 1, stable_rounds: 0}} | 1 or more
          {algorithm: threshold, check_interval: 1s, balance: {max_partition_diff: 0}} | greater than zero
          {algorithm: relative, check_interval: 1s, split: {rps_multiplier: 1}}     | greater than 1
          {algorithm: manual, failover: never}                                      | automatic or manual
          {algorithm: [                                                             | is no YAML
          {algorithm: manual, algorithm: auto}                                      | is no YAML
          just words                                                                | must be a mapping
          """)
  void aPolicyThatMakesNoSenseIsRefusedWithItsReason(String yaml, String reason) {
    assertThatThrownBy(() -> Policy.parse(yaml))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(reason);
  }
}
