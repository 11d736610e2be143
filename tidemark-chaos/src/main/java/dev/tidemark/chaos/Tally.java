package dev.tidemark.chaos;

/** What a run has done and found so far. */
abstract class Tally {
  final Findings findings = new Findings();
  private long acknowledged;

  void acknowledged(int commits) {
    acknowledged += commits;
  }

  long acknowledged() {
    return acknowledged;
  }

  /** What the last line of the run says before the seed. */
  abstract String summary(int rounds);
}
