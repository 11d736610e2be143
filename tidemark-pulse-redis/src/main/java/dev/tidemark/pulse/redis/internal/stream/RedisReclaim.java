package dev.tidemark.pulse.redis.internal.stream;

import dev.tidemark.pulse.ConflictingEventException;
import dev.tidemark.pulse.DeadLetter;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.PulseException;
import dev.tidemark.pulse.SinkOptions;
import dev.tidemark.pulse.StreamOptions;
import dev.tidemark.pulse.internal.spi.Names;
import dev.tidemark.pulse.internal.spi.NewEvent;
import dev.tidemark.pulse.redis.internal.link.Answer;
import dev.tidemark.pulse.redis.internal.link.Arguments;
import dev.tidemark.pulse.redis.internal.link.Failure;
import dev.tidemark.pulse.redis.internal.link.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Claims events that other consumers have held for longer than the grace. */
final class RedisReclaim {
  private static final Script RECLAIM = Script.once("group-reclaim");

  /** The server does nothing else while it takes over so many. */
  private static final int BATCH_MAX = 100;

  private final RedisGroup.Home home;
  private final String sink;
  private final String consumer;
  private final SinkOptions options;

  /** Where dead letters go, if there are any. */
  private final Optional<RedisStreamStore> letters;

  RedisReclaim(RedisGroup.Home home, String sink, String consumer, SinkOptions options) {
    this.home = home;
    this.sink = sink;
    this.consumer = consumer;
    this.options = options;
    this.letters =
        Names.deadLetters(home.stream(), options)
            .map(
                dead ->
                    new RedisStreamStore(
                        home.sessions(), home.link(), dead, StreamOptions.DEFAULTS.keepingAll()));
  }

  /** Events whose grace has passed, now this consumer's, also those that are dead. */
  List<Event> take(int max) {
    Arguments arguments =
        new Arguments()
            .add(sink)
            .add(consumer)
            .add(options.ackGrace().toMillis())
            .add(Math.min(max, BATCH_MAX));
    try {
      return events(
          new Answer(
              home.link().runOnce(RECLAIM, List.of(home.keys().events()), arguments.list())));
    } catch (PulseException refusal) {
      if (Failure.isNoGroup(refusal)) {
        return List.of();
      }
      throw refusal;
    }
  }

  private List<Event> events(Answer answer) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < answer.size(); i += 3) {
      events.add(
          RedisEvents.of(
              home.stream(), answer.text(i), answer.list(i + 2), (int) answer.number(i + 1)));
    }
    return events;
  }

  /** Whether an event has been delivered as often as it may. */
  boolean isDead(Event event) {
    return options.deliveriesMax().isPresent()
        && event.deliveries() > options.deliveriesMax().getAsInt();
  }

  /**
   * Adds a dead event to the dead letters, and acknowledges it in the same step if they lie beside
   * it. In a cluster they may lie on another server: then the acknowledgement is a second step, and
   * the key makes the first one happen once, however often it has to be repeated.
   *
   * @return whether the event is acknowledged
   */
  boolean bury(Event event) {
    DeadLetter letter =
        new DeadLetter(
            home.stream(),
            event.id(),
            event.deliveries() - 1,
            event.name(),
            event.topic(),
            event.payload());
    String key = home.stream() + " " + sink + " " + event.id();
    NewEvent added = new NewEvent(event.name(), event.topic(), letter.encode());
    RedisStreamStore grave = letters.orElseThrow();
    boolean together = grave.isBeside(home.keys());
    if (together) {
      grave.bury(key, added, new RedisStreamStore.Buried(home.keys(), sink, event.id()));
    } else {
      addUnlessThere(grave, key, added);
    }
    return together;
  }

  /** A letter that is there from a time when its event was not acknowledged counts. */
  private static void addUnlessThere(RedisStreamStore grave, String key, NewEvent letter) {
    try {
      grave.addOnce(key, letter);
    } catch (ConflictingEventException there) {
      // It tells of fewer deliveries.
    }
  }
}
