package dev.tidemark.chaos.run;

/** What a run has done and found so far. */
public abstract class Tally {
  public final Findings findings = new Findings();
  private long acknowledged;

  public void acknowledged(int commits) {
    acknowledged += commits;
  }

  public long acknowledged() {
    return acknowledged;
  }

  /** What the last line of the run says before the seed. */
  public abstract String summary(int rounds);
}
