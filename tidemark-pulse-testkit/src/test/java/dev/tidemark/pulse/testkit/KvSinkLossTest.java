package dev.tidemark.pulse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.LostEvents;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.Sink;
import dev.tidemark.testkit.junit.DatabaseExtension;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Losses of sinks on Tidemark's own store, which keeps exactly as many events as it is told. */
class KvSinkLossTest extends SinkLossConformance {
  @RegisterExtension
  final DatabaseExtension databases = DatabaseExtension.opening(OnTidemark::inMemory);

  @Override
  protected Pulse open() {
    return Pulse.on(databases.database());
  }

  /** Few are hidden and not trimmed yet, very many are trimmed. */
  @ParameterizedTest
  @ValueSource(ints = {15, 3_000})
  void dropOfAnyNumberOfEventsIsTold(int added) {
    small().add("e", bytes("first"));
    Event first;
    try (Sink sink = sink("s")) {
      first = take(sink).getFirst();
    }
    add(small(), added);
    try (Sink sink = sink("s")) {
      Event next = take(sink).getFirst();

      assertThat(lost()).containsExactly(new LostEvents("small", first.id(), next.id()));
    }
  }

  /** Few are hidden and not trimmed yet, very many are trimmed. */
  @ParameterizedTest
  @ValueSource(ints = {15, 3_000})
  void sinkThatBeginsBehindDroppedEventsHasNotLostThem(int added) {
    add(small(), added);
    try (Sink sink = sink("s")) {
      assertThat(take(sink)).hasSize(10);
      assertThat(lost()).isEmpty();
    }
  }
}
