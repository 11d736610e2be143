package dev.tidemark.chaos.pulse;

import dev.tidemark.chaos.run.Message.Owned;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds jobs that two members owned at a time.
 *
 * <p>A paused process may believe for any time that a job is its own. No store can prevent that;
 * what the process then does elsewhere has to be refused by the job's epoch. So what a process
 * believes does not count. What counts is the answer when a handler asks whether it has lost the
 * job: it must be yes from the moment at which another member was given the job with a later epoch.
 */
final class Owners {
  private Owners() {}

  /** When the owner of one epoch asked for the first and for the last time. */
  private record Span(long first, long last) {
    Span with(Span other) {
      return new Span(Math.min(first, other.first), Math.max(last, other.last));
    }
  }

  /** One sentence for every epoch that began while an earlier owner still held the job. */
  static List<String> overlaps(List<Owned> all) {
    Map<String, SortedMap<Long, Span>> jobs = new TreeMap<>();
    for (Owned owned : all) {
      jobs.computeIfAbsent(owned.name(), none -> new TreeMap<>())
          .merge(owned.epoch(), new Span(owned.nanos(), owned.nanos()), Span::with);
    }
    List<String> found = new ArrayList<>();
    jobs.forEach((name, epochs) -> find(name, epochs, found));
    return found;
  }

  private static void find(String name, SortedMap<Long, Span> epochs, List<String> found) {
    long lastOfEarlier = Long.MIN_VALUE;
    for (Map.Entry<Long, Span> epoch : epochs.entrySet()) {
      Span span = epoch.getValue();
      if (lastOfEarlier > span.first()) {
        found.add(
            "%s had an earlier owner for %,d us after it was owned with epoch %d"
                .formatted(name, (lastOfEarlier - span.first()) / 1_000, epoch.getKey()));
      }
      lastOfEarlier = Math.max(lastOfEarlier, span.last());
    }
  }
}
