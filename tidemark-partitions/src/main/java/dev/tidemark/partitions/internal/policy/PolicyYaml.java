package dev.tidemark.partitions.internal.policy;

import dev.tidemark.kv.UsageException;
import dev.tidemark.partitions.Policy;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads a policy from YAML. Unknown fields are errors: a misspelt limit must not be ignored. */
public final class PolicyYaml {
  private static final int LONGEST = 64 << 10;
  private static final int DEFAULT_STABLE_ROUNDS = 3;

  private PolicyYaml() {}

  /** The policy that the text describes. */
  public static Policy parse(String yaml) {
    YamlFields root = YamlFields.of("", load(yaml));
    String algorithm = root.text("algorithm");
    Policy policy =
        switch (algorithm) {
          case "manual" -> Policy.manual();
          case "auto" -> Policy.auto(root.number("split_threshold"), root.time("check_interval"));
          case "threshold" -> threshold(root);
          case "relative" -> relative(root);
          default ->
              throw UsageException.invalidOption(
                  "The policy's algorithm is \"%s\"; it must be manual, auto, threshold or relative"
                      .formatted(algorithm));
        };
    Policy.Failover failover = failover(root.text("failover", "automatic"));
    root.expectNoMore();
    return policy.withFailover(failover);
  }

  private static Object load(String yaml) {
    if (yaml.length() > LONGEST) {
      throw UsageException.invalidOption(
          "The policy has %,d characters; at most %,d are read".formatted(yaml.length(), LONGEST));
    }
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel("policy")
            .setAllowDuplicateKeys(false)
            .setMaxAliasesForCollections(0)
            .build();
    try {
      Object loaded = new Load(settings).loadFromString(yaml);
      return loaded == null ? Map.of() : loaded;
    } catch (YamlEngineException broken) {
      throw UsageException.invalidOption(
          "The policy is no YAML: " + String.valueOf(broken.getMessage()).strip());
    }
  }

  private static Policy threshold(YamlFields root) {
    YamlFields split = root.section("split");
    Policy.Split splitRule =
        new Policy.Split(
            split.number("rps_threshold", 0),
            split.whole("key_threshold", 0),
            0,
            0,
            maxPartitions(split));
    split.expectNoMore();
    YamlFields merge = root.section("merge");
    Policy.Merge mergeRule =
        new Policy.Merge(
            merge.number("rps_threshold", 0),
            merge.whole("key_threshold", 0),
            (int) merge.whole("stable_rounds", DEFAULT_STABLE_ROUNDS));
    merge.expectNoMore();
    return policy(root, "threshold", splitRule, mergeRule);
  }

  private static Policy relative(YamlFields root) {
    YamlFields split = root.section("split");
    double multiplier = split.number("rps_multiplier", 0);
    if (multiplier != 0 && multiplier <= 1) {
      throw UsageException.invalidOption(
          "The policy's split.rps_multiplier is %s; it must be greater than 1, or 0 for none"
              .formatted(multiplier));
    }
    Policy.Split splitRule =
        new Policy.Split(0, 0, multiplier, split.number("min_avg_rps", 0), maxPartitions(split));
    split.expectNoMore();
    return policy(root, "relative", splitRule, Policy.Merge.OFF);
  }

  private static int maxPartitions(YamlFields split) {
    return (int) split.whole("max_partitions", Policy.Split.MAX_PARTITIONS);
  }

  private static Policy policy(
      YamlFields root, String algorithm, Policy.Split split, Policy.Merge merge) {
    YamlFields pause = root.section("cooldown");
    Policy.Cooldown cooldown =
        new Policy.Cooldown(pause.timeOrNone("global"), pause.timeOrNone("partition"));
    pause.expectNoMore();
    YamlFields balance = root.section("balance");
    Policy.Balance defaults = Policy.Balance.DEFAULTS;
    Policy.Balance balanceRule =
        new Policy.Balance(
            true,
            (int) balance.whole("max_partition_diff", defaults.maxPartitionDifference()),
            balance.number("rps_imbalance_pct", defaults.rpsImbalancePercent()));
    balance.expectNoMore();
    return new Policy(
        algorithm,
        root.time("check_interval"),
        Policy.Failover.AUTOMATIC,
        cooldown,
        split,
        merge,
        balanceRule);
  }

  private static Policy.Failover failover(String word) {
    return switch (word) {
      case "automatic" -> Policy.Failover.AUTOMATIC;
      case "manual" -> Policy.Failover.MANUAL;
      default ->
          throw UsageException.invalidOption(
              "The policy's failover is \"%s\"; it must be automatic or manual".formatted(word));
    };
  }
}
