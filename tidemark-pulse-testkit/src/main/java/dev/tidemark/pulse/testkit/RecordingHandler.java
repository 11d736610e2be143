package dev.tidemark.pulse.testkit;

import dev.tidemark.pulse.pool.Job;
import dev.tidemark.pulse.pool.JobHandler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A handler that remembers how it was called, and fails where it is told to. */
public final class RecordingHandler implements JobHandler {
  private final Map<String, Job> running = new ConcurrentHashMap<>();
  private final List<Job> starts = new CopyOnWriteArrayList<>();
  private final List<String> stops = new CopyOnWriteArrayList<>();
  private final List<String> notifications = new CopyOnWriteArrayList<>();
  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final Set<String> failingStarts = ConcurrentHashMap.newKeySet();
  private final Set<String> failingStops = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<String> mistakes = new ConcurrentLinkedQueue<>();
  private final AtomicInteger calls = new AtomicInteger();

  @Override
  public void start(Job job) {
    enter();
    try {
      starts.add(job);
      if (failingStarts.contains(job.key())) {
        throw new IllegalStateException("cannot start " + job.key());
      }
      if (running.putIfAbsent(job.key(), job) != null) {
        mistakes.add("started although it runs: " + job.key());
      }
    } finally {
      calls.decrementAndGet();
    }
  }

  @Override
  public void stop(String key) {
    enter();
    try {
      if (failingStops.contains(key)) {
        throw new IllegalStateException("cannot stop " + key);
      }
      stops.add(key);
      if (running.remove(key) == null) {
        mistakes.add("stopped although it does not run: " + key);
      }
    } finally {
      calls.decrementAndGet();
    }
  }

  @Override
  public void notification(String key, byte[] payload) {
    notifications.add(key + "=" + new String(payload, StandardCharsets.UTF_8));
  }

  @Override
  public void message(String key, byte[] payload) {
    messages.add(key + "=" + new String(payload, StandardCharsets.UTF_8));
  }

  private void enter() {
    if (calls.incrementAndGet() > 1) {
      mistakes.add("called by two threads at a time");
    }
  }

  /** Has starts of {@code key} fail, or no longer. */
  public void failStart(String key, boolean fails) {
    change(failingStarts, key, fails);
  }

  /** Has stops of {@code key} fail, or no longer. */
  public void failStop(String key, boolean fails) {
    change(failingStops, key, fails);
  }

  private static void change(Set<String> keys, String key, boolean fails) {
    if (fails) {
      keys.add(key);
    } else {
      keys.remove(key);
    }
  }

  /** The keys of the jobs that run. */
  public Set<String> running() {
    return Set.copyOf(running.keySet());
  }

  /** Every job that was started, in order. */
  public List<Job> starts() {
    return starts;
  }

  /** The keys of every job that was stopped, in order. */
  public List<String> stops() {
    return stops;
  }

  /** Every notification, as {@code key=payload}. */
  public List<String> notifications() {
    return notifications;
  }

  /** Every message, as {@code key=payload}. */
  public List<String> messages() {
    return messages;
  }

  /** Calls that no handler may ever see. */
  public List<String> mistakes() {
    return List.copyOf(mistakes);
  }
}
