package dev.tidemark.pulse.redis.internal.link;

import dev.tidemark.kv.TimeSource;
import dev.tidemark.pulse.PulseException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The time of the server: asked for now and then, carried on by the clock of this process, never
 * back. In a cluster it is that of one node, the same for all processes.
 */
public final class RedisClock {
  private static final Script TIME = Script.of("time");
  private static final Duration TRUSTED = Duration.ofSeconds(5);
  private static final Duration SLOW = Duration.ofMillis(100);
  private static final int SAMPLES_MAX = 4;

  private final Link link;
  private final TimeSource time;

  /** Guards the rest. Held while nobody is asked. */
  private final Object lock = new Object();

  private long learnedNanos;
  private Instant learned = Instant.EPOCH;
  private Instant latest = Instant.EPOCH;

  public RedisClock(Link link, TimeSource time) {
    this.link = link;
    this.time = time;
  }

  /** Asks the server, again if the answer took so long that it says little; the fastest counts. */
  public void learn() {
    Sample best = ask();
    for (int asked = 1; asked < SAMPLES_MAX && best.took() > SLOW.toNanos(); asked++) {
      Sample next = ask();
      best = next.took() < best.took() ? next : best;
    }
    synchronized (lock) {
      learned = best.said();
      learnedNanos = best.asked() + best.took() / 2;
    }
  }

  /** What the server said to a question, when that was asked and how long it took, in ns. */
  private record Sample(Instant said, long asked, long took) {}

  private Sample ask() {
    long asked = time.nanos();
    Answer answer = new Answer(link.run(TIME, List.of("pulse:clock"), List.of()));
    long took = time.nanos() - asked;
    return new Sample(
        Instant.ofEpochSecond(answer.number(0), answer.number(1) * 1_000), asked, took);
  }

  /** The time now. An outage of the server does not stop it. */
  public Instant now() {
    if (isOld()) {
      learnIfReachable();
    }
    synchronized (lock) {
      Instant now = learned.plusNanos(time.nanos() - learnedNanos);
      latest = now.isAfter(latest) ? now : latest;
      return latest;
    }
  }

  private boolean isOld() {
    synchronized (lock) {
      boolean old = time.nanos() - learnedNanos > TRUSTED.toNanos();
      if (old) {
        // One asks, the others go on with what is known.
        learned = learned.plusNanos(time.nanos() - learnedNanos);
        learnedNanos = time.nanos();
      }
      return old;
    }
  }

  private void learnIfReachable() {
    try {
      learn();
    } catch (PulseException outage) {
      // The clock of this process carries on; callers notice the outage by what they do next.
      System.getLogger("dev.tidemark.pulse.redis")
          .log(System.Logger.Level.DEBUG, "The time of Redis could not be asked for", outage);
    }
  }
}
