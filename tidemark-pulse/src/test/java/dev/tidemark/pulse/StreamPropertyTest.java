package dev.tidemark.pulse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import dev.tidemark.testkit.faults.FaultyDatabase;
import dev.tidemark.testkit.junit.DatabaseExtension;
import dev.tidemark.testkit.junit.SeedSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;

/** Random calls on one stream do what they do to a list, while commits go wrong. */
class StreamPropertyTest {
  private static final int STEPS = 400;
  private static final Duration SHORT = Duration.ofMillis(5);

  @RegisterExtension
  final DatabaseExtension databases =
      DatabaseExtension.opening(
          () ->
              FaultyDatabase.over(
                  EmbeddedDatabase.inMemory(), FaultPlan.random(11, 0.2, Fault.values())));

  /** What the stream should have: ids in order, with their payloads. */
  private final List<EventId> shown = new ArrayList<>();

  private final Map<EventId, String> payloads = new HashMap<>();
  private final Map<String, EventId> once = new HashMap<>();
  private boolean exists;

  @ParameterizedTest
  @SeedSource(count = 6)
  void streamBehavesLikeABoundedList(long seed, Database database) {
    SplittableRandom random = new SplittableRandom(seed);
    int lengthMax = 1 + random.nextInt(12);
    try (Pulse pulse = Pulse.on(database)) {
      EventStream stream = pulse.stream("s", o -> o.withLengthMax(lengthMax));
      for (int step = 0; step < STEPS; step++) {
        change(stream, random, step);
        while (shown.size() > lengthMax) {
          shown.removeFirst();
        }
        assertThat(stream.length()).as("length at step %d", step).isEqualTo(shown.size());
        if (random.nextInt(4) == 0) {
          compare(stream, random, step);
        }
      }
    }
  }

  private void change(EventStream stream, SplittableRandom random, int step) {
    String text = "event " + step;
    switch (random.nextInt(20)) {
      case 0, 1 -> remove(stream, random);
      case 2 -> {
        if (random.nextInt(5) == 0) {
          stream.destroy();
          shown.clear();
          once.clear();
          exists = false;
        }
      }
      case 3, 4 -> {
        String key = "key " + random.nextInt(5);
        EventId id = stream.addOnce(key, "e", "", bytes(key));
        if (once.putIfAbsent(key, id) == null) {
          added(id, key);
        } else {
          assertThat(id).as("id of %s at step %d", key, step).isEqualTo(once.get(key));
        }
      }
      case 5 ->
          assertThat(
                  stream
                      .addIfExists("e", "", bytes(text))
                      .map(
                          id -> {
                            added(id, text);
                            return id;
                          })
                      .isPresent())
              .isEqualTo(exists);
      default -> added(stream.add("e", "", bytes(text)), text);
    }
  }

  private void added(EventId id, String payload) {
    assertThat(payloads).as("a new id").doesNotContainKey(id);
    assertThat(shown.isEmpty() || shown.getLast().compareTo(id) < 0).as("ids grow").isTrue();
    shown.add(id);
    payloads.put(id, payload);
    exists = true;
  }

  private void remove(EventStream stream, SplittableRandom random) {
    List<EventId> known = List.copyOf(payloads.keySet());
    List<EventId> some = new ArrayList<>();
    for (int i = 0; i < 3 && !known.isEmpty(); i++) {
      some.add(known.get(random.nextInt(known.size())));
    }
    if (!shown.isEmpty()) {
      some.add(shown.get(random.nextInt(shown.size())));
    }
    long there = some.stream().distinct().filter(shown::contains).count();
    assertThat(stream.remove(some)).isEqualTo(there);
    shown.removeAll(some);
  }

  private void compare(EventStream stream, SplittableRandom random, int step) {
    EventId after =
        shown.isEmpty() || random.nextBoolean()
            ? EventId.ZERO
            : shown.get(random.nextInt(shown.size()));
    int batch = 1 + random.nextInt(6);
    List<EventId> seen = new ArrayList<>();
    try (Reader reader =
        stream.reader(o -> o.withStart(Start.after(after)).withBatchMax(batch).withBlock(SHORT))) {
      List<EventId> expected = shown.stream().filter(id -> id.compareTo(after) > 0).toList();
      while (seen.size() < expected.size()) {
        for (Event event : reader.read()) {
          assertThat(new String(event.payload(), UTF_8)).isEqualTo(payloads.get(event.id()));
          seen.add(event.id());
        }
      }
      assertThat(seen).as("events at step %d", step).isEqualTo(expected);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
