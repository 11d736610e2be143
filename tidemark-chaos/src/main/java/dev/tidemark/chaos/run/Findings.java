package dev.tidemark.chaos.run;

import java.util.ArrayList;
import java.util.List;

/** What an audit found wrong. */
public final class Findings {
  private static final int SHOWN = 20;

  private final List<String> problems = new ArrayList<>();
  private long lost;
  private long torn;
  private long other;

  /** An acknowledged commit that is not there. */
  public void lost(String what) {
    lost++;
    note("lost: " + what);
  }

  /** A commit of which only a part is there. */
  public void torn(String what) {
    torn++;
    note("torn: " + what);
  }

  /** Any other broken promise. */
  public void broken(String what) {
    other++;
    note("broken: " + what);
  }

  private void note(String problem) {
    if (problems.size() < SHOWN) {
      problems.add(problem);
    }
  }

  public void addAll(Findings findings) {
    lost += findings.lost;
    torn += findings.torn;
    other += findings.other;
    problems.addAll(findings.problems);
  }

  public long lostCount() {
    return lost;
  }

  public long tornCount() {
    return torn;
  }

  public long otherCount() {
    return other;
  }

  public boolean clean() {
    return lost + torn + other == 0;
  }

  /** The first problems, for people. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  @Override
  public String toString() {
    return String.join("; ", problems);
  }
}
