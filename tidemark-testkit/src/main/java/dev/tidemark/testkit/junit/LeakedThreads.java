package dev.tidemark.testkit.junit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Platform threads that a test started and did not end. */
final class LeakedThreads {
  /** Threads that the JVM, JUnit and the build start when they please. */
  private static final List<String> NOT_OURS =
      List.of(
          "Attach Listener",
          "Cleaner-",
          "Common-Cleaner",
          "ForkJoinPool",
          "JFR ",
          "Notification Thread",
          "Reference Handler",
          "RMI ",
          "Signal Dispatcher",
          "VirtualThread-unblocker",
          "VirtualThread-unparker",
          "junit-",
          "process reaper",
          "surefire-");

  private LeakedThreads() {}

  static Set<Thread> running() {
    return new HashSet<>(Thread.getAllStackTraces().keySet());
  }

  /** Threads that were not running {@code before} and do not end within {@code patience}. */
  static List<Thread> startedSince(Set<Thread> before, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    List<Thread> leaked = new ArrayList<>();
    for (Thread thread : running()) {
      if (!before.contains(thread)
          && NOT_OURS.stream().noneMatch(thread.getName()::startsWith)
          && !endsBy(deadline, thread)) {
        leaked.add(thread);
      }
    }
    return leaked;
  }

  private static boolean endsBy(long deadline, Thread thread) {
    try {
      return thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return !thread.isAlive();
    }
  }
}
