package dev.tidemark.loader.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.testkit.Eventually;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Attributes of measurements, and the environment of a process that loads them. */
final class Readings {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Readings() {}

  static Map<String, String> attributes(String point, String power, String timestamp) {
    return Map.of("point_id", point, "power", power, "timestamp", timestamp);
  }

  /** Waits until {@code condition} holds: starting a process takes long on a busy machine. */
  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("not within %s: %s", PATIENCE, what).isNegative();
      Eventually.pause(Duration.ofMillis(10));
    }
  }

  static Map<String, String> environment(String pubSub, FakeBigQuery bigQuery) {
    return new HashMap<>(
        Map.of(
            "PROJECT_ID",
            FakePubSub.PROJECT,
            "SUBSCRIPTION_ID",
            FakePubSub.SUBSCRIPTION,
            "PUBSUB_EMULATOR_HOST",
            pubSub,
            "BIGQUERY_EMULATOR_HOST",
            bigQuery.url(),
            "IDLE_SECONDS",
            "1"));
  }
}
