package dev.tidemark.chaos.engine;

import dev.tidemark.chaos.run.Tally;
import java.util.TreeSet;

/** What a run against the engine has done to its files. */
final class EngineTally extends Tally {
  private final TreeSet<String> disks = new TreeSet<>();
  private int tears;
  private int flips;
  private int cuts;
  private int reported;
  private int fullDisks;

  /** Logs whose end was cut or garbled. */
  void tears(int logs) {
    tears += logs;
  }

  /** Flipped bits. */
  void flips(int bits) {
    flips += bits;
  }

  /** Files that were cut or deleted. */
  void cuts(int files) {
    cuts += files;
  }

  /** Damage that the engine noticed. */
  void reported() {
    reported++;
  }

  /** A disk of kind {@code name} that was filled. */
  void fullDisk(String name) {
    fullDisks++;
    disks.add(name);
  }

  @Override
  public String summary(int rounds) {
    return ("rounds=%d acknowledged=%d lost=%d torn=%d broken=%d tears=%d flips=%d"
            + " cuts=%d reported=%d full_disks=%d disk=%s")
        .formatted(
            rounds,
            acknowledged(),
            findings.lostCount(),
            findings.tornCount(),
            findings.otherCount(),
            tears,
            flips,
            cuts,
            reported,
            fullDisks,
            disks.isEmpty() ? "none" : String.join("+", disks));
  }
}
