package dev.tidemark.chaos.engine;

/** What happens to the database in a round, besides the kill. */
enum Round {
  /** Nothing else. */
  KILL,
  /** A copy loses the end of its log, and another one gets garbage there. */
  TEAR,
  /** One copy has a bit flipped in its log, another one in a table. */
  FLIP,
  /** Each file of a database of its own is deleted and cut. */
  SWEEP,
  /** A database of its own runs into the end of the disk. */
  FULL;

  /** The kinds take turns, so that ten rounds have seen them all. */
  static Round number(int round) {
    return switch (round % 10) {
      case 2 -> SWEEP;
      case 4 -> TEAR;
      case 7 -> FLIP;
      case 9 -> FULL;
      default -> KILL;
    };
  }
}
