package dev.tidemark.testkit.internal.program;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeySelector;
import dev.tidemark.kv.ScanMode;
import dev.tidemark.kv.Versionstamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/*
 * A history is strictly serializable if some order of its transactions explains every answer and
 * agrees with real time. The store names the order: commits by their versionstamps, readers by the
 * version they read. So there is nothing to search for:
 *
 *  1. Every answer is that of the model at the version read, with the transaction's own earlier
 *     writes over it.
 *  2. Every answer that counts as read is also that of the model just before the transaction's own
 *     commit: nothing it depends on changed in between.
 *  3. A transaction that began after another had ended reads at least that one's version, and gets
 *     a greater stamp.
 *  4. The store ends up as the model does.
 */

/** What committed transactions did and saw. May be written by several threads. */
public final class History {
  private static final ReadStep EVERYTHING =
      new ReadStep.Rows(
          KeySelector.firstGreaterOrEqual(Key.EMPTY),
          KeySelector.firstGreaterOrEqual(Key.END),
          0,
          false,
          ScanMode.WANT_ALL,
          false);

  private final AtomicLong now = new AtomicLong();
  private final ConcurrentLinkedQueue<Entry> entries = new ConcurrentLinkedQueue<>();

  /**
   * One committed transaction.
   *
   * @param answers to the reads of the program, in order
   * @param began moment before the transaction was begun
   * @param ended moment after its commit returned
   * @param readVersion the version it read; -1 if it read nothing
   * @param stamp of its commit; empty if it wrote nothing
   */
  public record Entry(
      Program program,
      List<String> answers,
      long began,
      long ended,
      long readVersion,
      Optional<Versionstamp> stamp) {}

  /** A moment after all moments that were returned before. */
  public long moment() {
    return now.incrementAndGet();
  }

  public void add(Entry entry) {
    entries.add(entry);
  }

  public int size() {
    return entries.size();
  }

  /** Throws an {@link AssertionError} that begins with {@code title} if there is no such order. */
  public void check(String title, String finalAnswer) {
    List<Entry> commits =
        entries.stream()
            .filter(entry -> entry.stamp().isPresent())
            .sorted(Comparator.comparing(History::stampOf))
            .toList();
    TreeMap<Long, NavigableMap<Key, byte[]>> states = new TreeMap<>();
    NavigableMap<Key, byte[]> state = new TreeMap<>();
    states.put(-1L, state);
    for (Entry commit : commits) {
      checkAnswers(title + ": read at its commit", commit, state, false);
      state = new TreeMap<>(state);
      for (Step step : commit.program().steps()) {
        apply(step, state, stampOf(commit));
      }
      states.put(stampOf(commit).version(), state);
    }
    for (Entry entry : entries) {
      if (entry.readVersion() >= 0) {
        checkAnswers(
            title + ": read at its read version",
            entry,
            states.floorEntry(entry.readVersion()).getValue(),
            true);
      }
    }
    checkDistinct(title, commits);
    checkRealTime(title);
    checkEqual(title + ": final contents", EVERYTHING.expect(state), finalAnswer);
  }

  public static ReadStep everything() {
    return EVERYTHING;
  }

  private static Versionstamp stampOf(Entry entry) {
    return entry.stamp().orElseThrow();
  }

  private static void apply(Step step, NavigableMap<Key, byte[]> model, Versionstamp stamp) {
    if (step instanceof WriteStep write) {
      write.apply(model, stamp);
    }
  }

  private static void checkAnswers(
      String title, Entry entry, NavigableMap<Key, byte[]> base, boolean snapshots) {
    NavigableMap<Key, byte[]> view = new TreeMap<>(base);
    int answer = 0;
    for (Step step : entry.program().steps()) {
      switch (step) {
        case ReadStep read -> {
          if (snapshots || !read.snapshot()) {
            checkEqual(
                title + ", " + read + " of " + entry,
                read.expect(view),
                entry.answers().get(answer));
          }
          answer++;
        }
        case WriteStep write -> write.apply(view, Versionstamp.of(0, 0, 0));
      }
    }
  }

  private static void checkDistinct(String title, List<Entry> commits) {
    for (int i = 1; i < commits.size(); i++) {
      if (stampOf(commits.get(i)).equals(stampOf(commits.get(i - 1)))) {
        throw new AssertionError(title + ": two commits have the stamp " + stampOf(commits.get(i)));
      }
    }
  }

  /** Walks through time and keeps the latest commit that had ended by then. */
  private void checkRealTime(String title) {
    TreeMap<Long, Entry> latestByEnd = new TreeMap<>();
    Optional<Entry> latest = Optional.empty();
    List<Entry> byEnd = new ArrayList<>(entries);
    byEnd.removeIf(entry -> entry.stamp().isEmpty());
    byEnd.sort(Comparator.comparingLong(Entry::ended));
    for (Entry entry : byEnd) {
      if (latest.isEmpty() || stampOf(entry).compareTo(stampOf(latest.get())) > 0) {
        latest = Optional.of(entry);
      }
      latestByEnd.put(entry.ended(), latest.get());
    }
    for (Entry entry : entries) {
      Map.Entry<Long, Entry> before = latestByEnd.lowerEntry(entry.began());
      if (before == null) {
        continue;
      }
      Versionstamp earlier = stampOf(before.getValue());
      if (entry.readVersion() >= 0 && entry.readVersion() < earlier.version()) {
        throw new AssertionError(
            "%s: a transaction reads version %d though %s had committed before it began:%n%s"
                .formatted(title, entry.readVersion(), earlier, entry));
      }
      if (entry.stamp().isPresent() && stampOf(entry).compareTo(earlier) <= 0) {
        throw new AssertionError(
            "%s: a commit has the stamp %s though %s had committed before it began:%n%s"
                .formatted(title, stampOf(entry), earlier, entry));
      }
    }
  }

  private static void checkEqual(String title, String expected, String actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError(
          "%s%nanswered%n  %s%nand should have answered%n  %s".formatted(title, actual, expected));
    }
  }
}
