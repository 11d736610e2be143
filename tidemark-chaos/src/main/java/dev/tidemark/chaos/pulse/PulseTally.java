package dev.tidemark.chaos.pulse;

import dev.tidemark.chaos.run.Tally;

/** What a run against streams and pools has done and found. */
final class PulseTally extends Tally {
  private final boolean exactlyOnce;
  private long jobs;
  private long lostJobs;
  private int doubleOwners;
  private long duplicates;
  private int kills;
  private int pauses;

  /** A tally of a store on which an event has its effect exactly once, or at least once. */
  PulseTally(boolean exactlyOnce) {
    this.exactlyOnce = exactlyOnce;
  }

  void jobs(int taken) {
    jobs += taken;
  }

  void lostJob(String what) {
    lostJobs++;
    findings.broken("lost job: " + what);
  }

  void doubleOwner(String what) {
    doubleOwners++;
    findings.broken("two owners: " + what);
  }

  void duplicate(String what) {
    duplicates++;
    if (exactlyOnce) {
      findings.broken("effect twice: " + what);
    }
  }

  void kill() {
    kills++;
  }

  void pause() {
    pauses++;
  }

  @Override
  public String summary(int rounds) {
    return "events=%d lost=%d jobs=%d lost=%d doubleOwners=%d%s rounds=%d kills=%d pauses=%d broken=%d"
        .formatted(
            acknowledged(),
            findings.lostCount(),
            jobs,
            lostJobs,
            doubleOwners,
            exactlyOnce ? " duplicateEffects=" + duplicates : "",
            rounds,
            kills,
            pauses,
            findings.otherCount() - lostJobs - doubleOwners - (exactlyOnce ? duplicates : 0));
  }
}
