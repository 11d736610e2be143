package dev.tidemark.node.internal.tour;

import dev.tidemark.kv.ConflictException;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Subspace;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** What one transaction, or two that meet, can rely on. */
final class TransactionSteps {
  private static final int KEYS_PER_COMMIT = 2_000;
  private static final Subspace SORTED = Subspace.of("demo", "sorted");
  private static final Subspace STOCK = Subspace.of("demo", "stock");
  private static final Subspace RETRIED = Subspace.of("demo", "retried");
  private static final Subspace ON_CALL = Subspace.of("demo", "on call");

  private final Database database;
  private final DemoSize size;

  TransactionSteps(Database database, DemoSize size) {
    this.database = database;
    this.size = size;
  }

  String keysComeBackInOrder() {
    int commits = 0;
    for (int from = 0; from < size.keys(); from += KEYS_PER_COMMIT, commits++) {
      int first = from;
      int end = Math.min(size.keys(), from + KEYS_PER_COMMIT);
      database.run(
          tx -> {
            for (int i = first; i < end; i++) {
              // Written in an order far from that of the keys.
              long key = Long.reverse(i) >>> 1;
              tx.set(SORTED.pack(key), Numbers.bytes(key));
            }
          });
    }
    int forwards = database.read(tx -> inOrder(tx.scan(SORTED.range()), 1));
    int backwards = database.read(tx -> inOrder(tx.scan(SORTED.range()).reverse(), -1));
    Proof.same("rows read forwards", size.keys(), forwards);
    Proof.same("rows read backwards", size.keys(), backwards);
    return String.format(
        Locale.ROOT,
        "%,d keys, written in any order by %,d commits, came back sorted, forwards and backwards",
        size.keys(),
        commits);
  }

  private static int inOrder(Scan scan, int direction) {
    int rows = 0;
    Key last = null;
    for (KeyValue row : scan) {
      Proof.that(
          last == null || Integer.signum(row.key().compareTo(last)) == direction,
          "keys are in order",
          row.key(),
          last);
      last = row.key();
      rows++;
    }
    return rows;
  }

  String secondOfTwoWritersIsRefused() {
    int refused = 0;
    for (int pair = 0; pair < size.pairs(); pair++) {
      Key stock = STOCK.pack(pair);
      database.run(tx -> tx.set(stock, Numbers.bytes(1)));
      refused += raceFor(stock);
      Proof.same("stock", 0, database.read(tx -> value(tx.get(stock))));
    }
    Proof.same("refused transactions", size.pairs(), refused);
    return String.format(
        Locale.ROOT,
        "of 2 buyers of the last item, %,d times, one got it and the other a conflict",
        size.pairs());
  }

  /** Two transactions that each take the one item in stock; the number of those refused. */
  private int raceFor(Key stock) {
    try (Transaction one = database.begin();
        Transaction other = database.begin()) {
      one.set(stock, Numbers.bytes(value(one.get(stock)) - 1));
      other.set(stock, Numbers.bytes(value(other.get(stock)) - 1));
      one.commit();
      return refused(other);
    }
  }

  private static int refused(Transaction tx) {
    try {
      tx.commit();
      return 0;
    } catch (ConflictException expected) {
      return 1;
    }
  }

  String retryFindsTheNewValue() {
    Key key = RETRIED.pack("answer");
    AtomicInteger attempts = new AtomicInteger();
    database.run(
        tx -> {
          long seen = tx.get(key).map(Numbers::from).orElse(0L);
          if (attempts.incrementAndGet() == 1) {
            database.run(interloper -> interloper.set(key, Numbers.bytes(40)));
          }
          tx.set(key, Numbers.bytes(seen + 2));
        });
    Proof.same("attempts", 2, attempts.get());
    Proof.same("the value", 42, database.read(tx -> value(tx.get(key))));
    return "transact() met a change between its read and its commit, ran again on the new value:"
        + " 40 + 2 = 42";
  }

  String writeSkewIsRefused() {
    int refused = 0;
    for (int pair = 0; pair < size.pairs(); pair++) {
      Key ann = ON_CALL.pack(pair, "ann");
      Key bob = ON_CALL.pack(pair, "bob");
      database.run(
          tx -> {
            tx.set(ann, Numbers.bytes(1));
            tx.set(bob, Numbers.bytes(1));
          });
      refused += bothLeave(ann, bob);
      long left = database.read(tx -> tx.getAll(List.of(ann, bob)).size());
      Proof.same("doctors on call", 1, left);
    }
    Proof.same("refused transactions", size.pairs(), refused);
    return String.format(
        Locale.ROOT,
        "2 doctors who each leave because the other is on call: refused %,d times of %,d",
        refused,
        size.pairs());
  }

  /** Each transaction reads both keys and clears its own: no write meets another one. */
  private int bothLeave(Key ann, Key bob) {
    try (Transaction one = database.begin();
        Transaction other = database.begin()) {
      Proof.that(one.get(ann).isPresent() && one.get(bob).isPresent(), "both are on call");
      Proof.that(other.get(ann).isPresent() && other.get(bob).isPresent(), "both are on call");
      one.clear(ann);
      other.clear(bob);
      one.commit();
      return refused(other);
    }
  }

  private static long value(Optional<byte[]> stored) {
    return Numbers.from(stored.orElseThrow());
  }
}
