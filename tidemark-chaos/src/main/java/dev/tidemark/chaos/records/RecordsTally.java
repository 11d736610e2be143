package dev.tidemark.chaos.records;

import dev.tidemark.chaos.run.ChildProcess;
import dev.tidemark.chaos.run.Tally;

/** What a run against the record layer has done. */
final class RecordsTally extends Tally {
  private int builds;
  private int resumed;
  private int unknown;

  /** What a killed process has told. */
  void add(ChildProcess child) {
    acknowledged(child.acknowledged().size());
    unknown += child.unknown();
    builds += child.builds();
    resumed += child.resumedBuilds();
    child.complaints().forEach(findings::broken);
  }

  /** A build that was cut off and went on. */
  void resumed() {
    resumed++;
  }

  @Override
  public String summary(int rounds) {
    return "operations=%d lost=%d wrong=%d rounds=%d builds=%d resumed=%d unknown=%d"
        .formatted(
            acknowledged(),
            findings.lostCount(),
            findings.tornCount() + findings.otherCount(),
            rounds,
            builds,
            resumed,
            unknown);
  }
}
