package dev.tidemark.chaos;

import java.util.ArrayList;
import java.util.List;

/** What an audit found wrong. */
final class Findings {
  private static final int SHOWN = 20;

  private final List<String> problems = new ArrayList<>();
  private long lost;
  private long torn;
  private long other;

  /** An acknowledged commit that is not there. */
  void lost(String what) {
    lost++;
    note("lost: " + what);
  }

  /** A commit of which only a part is there. */
  void torn(String what) {
    torn++;
    note("torn: " + what);
  }

  /** Any other broken promise. */
  void broken(String what) {
    other++;
    note("broken: " + what);
  }

  private void note(String problem) {
    if (problems.size() < SHOWN) {
      problems.add(problem);
    }
  }

  void addAll(Findings findings) {
    lost += findings.lost;
    torn += findings.torn;
    other += findings.other;
    problems.addAll(findings.problems);
  }

  long lostCount() {
    return lost;
  }

  long tornCount() {
    return torn;
  }

  long otherCount() {
    return other;
  }

  boolean clean() {
    return lost + torn + other == 0;
  }

  /** The first problems, for people. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  @Override
  public String toString() {
    return String.join("; ", problems);
  }
}
