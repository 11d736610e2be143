package dev.tidemark.chaos.loader;

import dev.tidemark.chaos.run.Tally;

/** What a run against loaders has done and found. */
final class LoaderTally extends Tally {
  private long rows;
  private long missing;
  private long duplicates;
  private long stale;
  private int kills;

  void rows(int stored) {
    rows += stored;
  }

  void missing(String what) {
    missing++;
    findings.broken("missing row: " + what);
  }

  void duplicate(String what) {
    duplicates++;
    findings.broken("duplicate row: " + what);
  }

  void stale(String what) {
    stale++;
    findings.broken("stale row: " + what);
  }

  void kill() {
    kills++;
  }

  @Override
  public String summary(int rounds) {
    return "rows=%d missing=%d duplicates=%d stale=%d events=%d rounds=%d kills=%d broken=%d"
        .formatted(
            rows,
            missing,
            duplicates,
            stale,
            acknowledged(),
            rounds,
            kills,
            findings.otherCount() - missing - duplicates - stale);
  }
}
