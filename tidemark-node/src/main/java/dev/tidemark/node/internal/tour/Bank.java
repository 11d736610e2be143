package dev.tidemark.node.internal.tour;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadContext;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.TransactionContext;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Accounts, and a ledger of the transfers between them, written in the same transactions. So the
 * balances can be computed twice: what was stored, and what the ledger says.
 */
final class Bank {
  static final int ACCOUNTS = 200;
  static final long OPENING_BALANCE = 1_000;

  private static final Subspace BALANCES = Subspace.of("bank", "balances");
  private static final Subspace LEDGER = Subspace.of("bank", "ledger");

  private Bank() {}

  /** Names one transfer for good: a run of the program, a thread in it, a number of that thread. */
  record TransferId(int run, int thread, long number) {}

  /** What an audit found, all at one version. */
  record Audit(long money, Set<TransferId> transfers) {}

  /** Opens the accounts, unless they are open. */
  static void open(TransactionContext context) {
    context.run(
        tx -> {
          if (tx.get(BALANCES.pack(0)).isEmpty()) {
            for (int account = 0; account < ACCOUNTS; account++) {
              tx.set(BALANCES.pack(account), Numbers.bytes(OPENING_BALANCE));
            }
          }
        });
  }

  /** Moves some money between two accounts and writes it into the ledger, in one transaction. */
  static void transfer(TransactionContext context, RandomGenerator random, TransferId id) {
    int from = random.nextInt(ACCOUNTS);
    int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
    long wanted = random.nextLong(1, 50);
    context.run(
        tx -> {
          Key source = BALANCES.pack(from);
          Key target = BALANCES.pack(to);
          long balance = Numbers.from(tx.get(source).orElseThrow());
          long amount = Math.min(wanted, balance);
          tx.set(source, Numbers.bytes(balance - amount));
          tx.set(target, Numbers.bytes(Numbers.from(tx.get(target).orElseThrow()) + amount));
          tx.set(
              LEDGER.pack(id.run(), id.thread(), id.number()), Tuple.of(from, to, amount).pack());
        });
  }

  /** Checks every balance against the ledger, in one consistent read. */
  static Audit audit(ReadContext context) {
    return context.read(Bank::audit);
  }

  private static Audit audit(ReadTransaction tx) {
    long[] expected = new long[ACCOUNTS];
    Set<TransferId> transfers = new HashSet<>();
    for (KeyValue entry : tx.scan(LEDGER.range())) {
      Tuple transfer = Tuple.unpack(entry.value());
      expected[transfer.getInt(0)] -= transfer.getLong(2);
      expected[transfer.getInt(1)] += transfer.getLong(2);
      transfers.add(transferId(entry.key()));
    }
    long money = 0;
    for (int account = 0; account < ACCOUNTS; account++) {
      long balance = Numbers.from(tx.get(BALANCES.pack(account)).orElseThrow());
      Proof.same("the balance of account " + account, OPENING_BALANCE + expected[account], balance);
      money += balance;
    }
    Proof.same("the money of all accounts", ACCOUNTS * OPENING_BALANCE, money);
    return new Audit(money, transfers);
  }

  private static TransferId transferId(Key key) {
    Tuple id = LEDGER.unpack(key);
    return new TransferId(id.getInt(0), id.getInt(1), id.getLong(2));
  }
}
