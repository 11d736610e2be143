package dev.tidemark.chaos.ledger;

import dev.tidemark.kv.Versionstamp;
import java.util.Arrays;

/** What a database is known to hold: the result of the last audit, and the start of the next. */
public final class Ledger {
  private final long[] balances;
  private final long[] counters;
  private final long[] sequences;
  private Versionstamp newest;
  private long commits;

  private Ledger(
      long[] balances, long[] counters, long[] sequences, Versionstamp newest, long commits) {
    this.balances = balances;
    this.counters = counters;
    this.sequences = sequences;
    this.newest = newest;
    this.commits = commits;
  }

  /** The ledger of a database in which nothing has been committed. */
  public static Ledger empty() {
    long[] balances = new long[Layout.ACCOUNTS];
    Arrays.fill(balances, Layout.OPENING_BALANCE);
    return new Ledger(
        balances, new long[Layout.COUNTERS], new long[Layout.WRITERS], Versionstamp.of(0, 0, 0), 0);
  }

  Ledger copy() {
    return new Ledger(balances.clone(), counters.clone(), sequences.clone(), newest, commits);
  }

  /** The last number of {@code writer} that is present. */
  long sequence(int writer) {
    return sequences[writer];
  }

  /** The place of the last commit. */
  Versionstamp newest() {
    return newest;
  }

  /** How many numbered commits there are. */
  long commits() {
    return commits;
  }

  long[] balances() {
    return balances.clone();
  }

  long counter(int number) {
    return counters[number];
  }

  /** Notes a commit, the next in commit order. */
  void add(Versionstamp stamp, Entry entry) {
    newest = stamp;
    commits++;
    sequences[entry.writer()] = entry.sequence();
    int counter = entry.count().counter();
    counters[counter] = entry.count().after(counters[counter]);
  }

  /** Changes one balance and returns it. */
  long move(int account, long amount) {
    balances[account] += amount;
    return balances[account];
  }

  /** Whether both ledgers tell of the same commits and the same money. */
  boolean agrees(Ledger other) {
    return Arrays.equals(balances, other.balances)
        && Arrays.equals(counters, other.counters)
        && Arrays.equals(sequences, other.sequences)
        && newest.equals(other.newest)
        && commits == other.commits;
  }
}
