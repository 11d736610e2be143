package dev.tidemark.chaos;

import java.util.TreeSet;

/** What a run has done and found so far. */
final class Tally {
  final Findings findings = new Findings();
  private final TreeSet<String> disks = new TreeSet<>();
  private long acknowledged;
  private int tears;
  private int flips;
  private int reported;
  private int fullDisks;

  void acknowledged(int commits) {
    acknowledged += commits;
  }

  /** Logs whose end was cut or garbled. */
  void tears(int logs) {
    tears += logs;
  }

  /** Flipped bits. */
  void flips(int bits) {
    flips += bits;
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

  long acknowledged() {
    return acknowledged;
  }

  /** The last line of the run. */
  String summary(int rounds, long seed) {
    return ("chaos engine: rounds=%d acknowledged=%d lost=%d torn=%d broken=%d tears=%d flips=%d"
            + " reported=%d full_disks=%d disk=%s seed=%d")
        .formatted(
            rounds,
            acknowledged,
            findings.lostCount(),
            findings.tornCount(),
            findings.otherCount(),
            tears,
            flips,
            reported,
            fullDisks,
            disks.isEmpty() ? "none" : String.join("+", disks),
            seed);
  }
}
