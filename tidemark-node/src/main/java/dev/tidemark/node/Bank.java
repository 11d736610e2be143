package dev.tidemark.node;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadContext;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.TransactionContext;
import java.nio.ByteBuffer;
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

  private static final String BALANCES = "balance";
  private static final String LEDGER = "ledger";

  private Bank() {}

  /** Names one transfer for good: a run of the program, a thread in it, a number of that thread. */
  record TransferId(int run, int thread, long number) {}

  /** What an audit found, all at one version. */
  record Audit(long money, Set<TransferId> transfers) {}

  /** Opens the accounts, unless they are open. */
  static void open(TransactionContext context) {
    context.run(
        tx -> {
          if (tx.get(Keys.of(BALANCES, 0)).isEmpty()) {
            for (int account = 0; account < ACCOUNTS; account++) {
              tx.set(Keys.of(BALANCES, account), Numbers.bytes(OPENING_BALANCE));
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
          Key source = Keys.of(BALANCES, from);
          Key target = Keys.of(BALANCES, to);
          long balance = Numbers.from(tx.get(source).orElseThrow());
          long amount = Math.min(wanted, balance);
          tx.set(source, Numbers.bytes(balance - amount));
          tx.set(target, Numbers.bytes(Numbers.from(tx.get(target).orElseThrow()) + amount));
          tx.set(
              Keys.of(LEDGER, id.run(), id.thread(), id.number()),
              ByteBuffer.allocate(16).putInt(from).putInt(to).putLong(amount).array());
        });
  }

  /** Checks every balance against the ledger, in one consistent read. */
  static Audit audit(ReadContext context) {
    return context.read(Bank::audit);
  }

  private static Audit audit(ReadTransaction tx) {
    long[] expected = new long[ACCOUNTS];
    Set<TransferId> transfers = new HashSet<>();
    for (KeyValue entry : tx.scan(Keys.all(LEDGER))) {
      ByteBuffer transfer = ByteBuffer.wrap(entry.value());
      int from = transfer.getInt();
      int to = transfer.getInt();
      long amount = transfer.getLong();
      expected[from] -= amount;
      expected[to] += amount;
      transfers.add(transferId(entry.key()));
    }
    long money = 0;
    for (int account = 0; account < ACCOUNTS; account++) {
      long balance = Numbers.from(tx.get(Keys.of(BALANCES, account)).orElseThrow());
      Proof.same(
          "the balance of account " + account, OPENING_BALANCE + expected[account], balance);
      money += balance;
    }
    Proof.same("the money of all accounts", ACCOUNTS * OPENING_BALANCE, money);
    return new Audit(money, transfers);
  }

  private static TransferId transferId(Key key) {
    return new TransferId(
        (int) Keys.number(key, LEDGER, 0),
        (int) Keys.number(key, LEDGER, 1),
        Keys.number(key, LEDGER, 2));
  }
}
