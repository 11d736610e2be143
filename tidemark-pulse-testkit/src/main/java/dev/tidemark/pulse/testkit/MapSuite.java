package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.ReplicatedMap;
import java.time.Duration;
import java.util.Map;

/** What the suites of maps share: one map, seen by several processes. */
abstract class MapSuite extends PulseConformance {
  /** How long a test lets a write take to reach the copy. */
  static final Duration WAIT = Duration.ofSeconds(10);

  /** The map of the test, as the test's own process sees it. */
  final ReplicatedMap<String, String> map() {
    return pulse().map("flags");
  }

  /** The map of the test, as another process sees it. */
  final ReplicatedMap<String, String> elsewhere() {
    return another().map("flags");
  }

  /** Waits until the copy of {@code map} is exactly {@code expected}. */
  static void eventuallyHas(ReplicatedMap<String, String> map, Map<String, String> expected) {
    eventually(
        () -> map + " is " + map.snapshot() + ", expected " + expected,
        () -> map.snapshot().equals(expected));
  }
}
