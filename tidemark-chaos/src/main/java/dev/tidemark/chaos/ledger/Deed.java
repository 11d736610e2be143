package dev.tidemark.chaos.ledger;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.Versionstamp;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What a numbered commit is to do. It is drawn before the first attempt, so that all attempts do
 * the same.
 */
public record Deed(
    int writer, long sequence, boolean transfer, Entry.Move move, Entry.Count count, int padding) {
  private static final int SETS_IN_TEN = 3;

  /** The deeds of a writer: how many of ten are transfers, and the filling of their entries. */
  public record Kind(int transfersInTen, int padding) {}

  static Deed draw(SplittableRandom random, int writer, long sequence, Kind kind) {
    boolean transfer = random.nextInt(10) < kind.transfersInTen();
    Entry.Move move =
        new Entry.Move(
            random.nextInt(Layout.ACCOUNTS),
            random.nextInt(Layout.ACCOUNTS),
            random.nextLong(1, 50));
    Entry.Count count =
        new Entry.Count(
            random.nextInt(Layout.COUNTERS),
            random.nextInt(10) < SETS_IN_TEN,
            random.nextLong(1, 1_000_000));
    return new Deed(writer, sequence, transfer, move, count, kind.padding());
  }

  /** The place of this commit, if it has been done. */
  public Optional<Versionstamp> done(ReadTransaction tx) {
    return tx.get(Layout.index(writer, sequence)).map(Versionstamp::fromBytes);
  }

  /** Does it in {@code tx}, which the caller commits. */
  public void writeTo(Transaction tx) {
    Entry entry = transfer ? transfer(tx) : new Entry.Append(writer, sequence, count, padding);
    tx.mutate(MutationType.SET_VERSIONSTAMPED_KEY, Layout.stampedLogKey(), entry.encode());
    if (count.set()) {
      tx.set(Layout.counter(count.counter()), Layout.count(count.amount()));
    } else {
      tx.mutate(MutationType.ADD, Layout.counter(count.counter()), Layout.count(count.amount()));
    }
    tx.addReadConflict(KeyRange.single(Layout.owner(writer)));
    Key index = Layout.index(writer, sequence);
    tx.mutate(MutationType.SET_VERSIONSTAMPED_VALUE, index, Layout.stampedValue());
  }

  private Entry transfer(Transaction tx) {
    Key from = Layout.account(move.from());
    Key to = Layout.account(move.to());
    long fromBalance = Layout.balance(tx.get(from).orElseThrow()) - move.amount();
    tx.set(from, Layout.balance(fromBalance));
    long toBalance = Layout.balance(tx.get(to).orElseThrow()) + move.amount();
    tx.set(to, Layout.balance(toBalance));
    return new Entry.Transfer(writer, sequence, count, padding, move, fromBalance, toBalance);
  }
}
