package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Random messages of keys and values, and what has to become of them: of the values that can be
 * stored the latest publication of each key is in the table, and what can never be is a dead
 * letter.
 */
final class PairsModel {
  /** The table refuses this value. */
  static final String POISON = "poison";

  /** The mapping refuses this value. */
  private static final String BAD = "bad";

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final int SECONDS = 20;

  private final long seed;
  private final SplittableRandom random;
  private final QueueModel queue;
  private final List<Message> published = new ArrayList<>();

  PairsModel(long seed, SplittableRandom random, QueueModel queue) {
    this.seed = seed;
    this.random = random;
    this.queue = queue;
  }

  /** A loader that dies here neither acknowledges nor gives back anything. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("The loader was killed", null, false, false);
    }
  }

  /** Publishes {@code messages} of at most {@code keys} keys. */
  void publish(int messages, int keys) {
    for (int number = 0; number < messages; number++) {
      String value =
          switch (random.nextInt(20)) {
            case 0 -> BAD;
            case 1 -> POISON;
            default -> "v" + number;
          };
      // Few different times, so that ties are common.
      Instant at = NOON.plus(Duration.ofSeconds(random.nextInt(SECONDS)));
      published.add(
          queue.publish(
              "m" + random.nextInt(1_000) + "-" + number,
              at,
              "key",
              "k" + random.nextInt(keys),
              "value",
              value));
    }
  }

  /** Delivers one of the messages once more. */
  void deliverAgain(SplittableRandom chance) {
    queue.deliverAgain(published.get(chance.nextInt(published.size())));
  }

  /** Values by key, as they have to be in the table. */
  Map<String, String> table() {
    Map<String, Message> latest = new HashMap<>();
    for (Message message : published) {
      if (!value(message).equals(BAD) && !value(message).equals(POISON)) {
        latest.merge(
            key(message), message, (left, right) -> left.compareTo(right) > 0 ? left : right);
      }
    }
    return latest.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> value(entry.getValue())));
  }

  /** Each message is acknowledged, and nothing was acknowledged or given back twice. */
  void checkQueue() {
    assertThat(queue.mistakes()).as("seed " + seed).isEmpty();
    assertThat(queue.acked().keySet())
        .as("acknowledged, seed " + seed)
        .isEqualTo(published.stream().map(Message::id).collect(Collectors.toSet()));
  }

  /** A refused row that a later one of its key replaced within its batch is never tried. */
  void checkLetters(Collection<String> letters) {
    Set<String> dead = Set.copyOf(letters);
    for (Message message : published) {
      boolean wanted =
          switch (value(message)) {
            case BAD -> true;
            case POISON -> !isReplaced(message) || dead.contains(message.id());
            default -> false;
          };
      assertThat(dead.contains(message.id()))
          .as("%s is a dead letter, seed %d", message, seed)
          .isEqualTo(wanted);
    }
  }

  private boolean isReplaced(Message message) {
    return published.stream()
        .anyMatch(
            other ->
                key(other).equals(key(message))
                    && other.compareTo(message) > 0
                    && !value(other).equals(BAD));
  }

  private static String key(Message message) {
    return String.valueOf(message.attributes().get("key"));
  }

  private static String value(Message message) {
    return String.valueOf(message.attributes().get("value"));
  }
}
