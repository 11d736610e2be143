package dev.tidemark.chaos.changes;

import dev.tidemark.chaos.run.Tally;
import java.util.Map;
import java.util.TreeMap;

/** What a run of change readers has gone through. */
final class ChangesTally extends Tally {
  private final Map<String, Integer> deeds = new TreeMap<>();
  private long commits;
  private long changes;
  private long missing;
  private long inversions;
  private long duplicates;

  void deed(String name) {
    deeds.merge(name, 1, Integer::sum);
  }

  void written(long more, long saves) {
    commits += more;
    changes += saves;
  }

  void missing(String what) {
    missing++;
    findings.lost(what);
  }

  void inversion(String what) {
    inversions++;
    findings.broken("out of order: " + what);
  }

  void duplicate(String what) {
    duplicates++;
    findings.torn(what);
  }

  @Override
  public long acknowledged() {
    return commits;
  }

  @Override
  public String summary(int rounds) {
    StringBuilder done = new StringBuilder();
    deeds.forEach((name, count) -> done.append(' ').append(name).append('=').append(count));
    return "rounds=%d commits=%d missing=%d inversions=%d duplicateEffects=%d changes=%d broken=%d%s"
        .formatted(
            rounds,
            commits,
            missing,
            inversions,
            duplicates,
            changes,
            findings.otherCount() - inversions,
            done);
  }
}
