package dev.tidemark.records;

import dev.tidemark.testkit.faults.Fault;
import dev.tidemark.testkit.faults.FaultPlan;
import java.util.Optional;

/** A plan by which a program dies before one of its commits, so after the one before that. */
final class Kill implements FaultPlan {
  private final int survived;
  private long before;
  private boolean armed;

  /** Ends what was about to commit as the end of the process would: nobody handles it. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1;

    Killed(int survived) {
      super("Killed after commit " + survived);
    }
  }

  private Kill(int survived) {
    this.survived = survived;
  }

  static Kill after(int commits) {
    return new Kill(commits);
  }

  /** Counts commits from now on, when {@code commits} have been made. */
  synchronized void arm(long commits) {
    armed = true;
    before = commits;
  }

  @Override
  public synchronized Optional<Fault> at(long commit) {
    if (armed && commit - before > survived) {
      throw new Killed(survived);
    }
    return Optional.empty();
  }
}
