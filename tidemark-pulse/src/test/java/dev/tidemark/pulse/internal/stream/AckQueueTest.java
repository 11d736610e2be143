package dev.tidemark.pulse.internal.stream;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.PulseException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class AckQueueTest {
  private final Set<Long> written = ConcurrentHashMap.newKeySet();

  private static Event event(long number) {
    return new Event(new EventId(number, 0), "s", "e", "", new byte[0], Instant.EPOCH, 1);
  }

  /** Fails with an error for event 0. */
  private void write(List<Event> events) {
    if (events.getFirst().id().major() == 0) {
      throw new StackOverflowError("on purpose");
    }
    events.forEach(event -> written.add(event.id().major()));
  }

  @Test
  void errorIsToldToWhoWaitsAndOthersGoOn() {
    try (AckQueue queue = new AckQueue(this::write)) {
      assertThatThrownBy(() -> queue.ack(List.of(event(0))))
          .isInstanceOf(PulseException.class)
          .hasRootCauseInstanceOf(StackOverflowError.class);
      queue.ack(List.of(event(1)));

      eventually("it is acknowledged", () -> written.contains(1L));
    }
  }

  @Test
  void errorOfTheWriterDoesNotEndTheAcknowledgements() {
    try (AckQueue queue = new AckQueue(this::write)) {
      queue.ackSoon(event(0));
      eventually(
          "later ones are acknowledged",
          () -> {
            queue.ackSoon(event(2));
            return written.contains(2L);
          });
    }
  }
}
