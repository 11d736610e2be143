package dev.tidemark.chaos.ledger;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The accounts between which money moves and never vanishes. */
public final class Accounts {
  public static final long SUM = Layout.ACCOUNTS * Layout.OPENING_BALANCE;

  private Accounts() {}

  /** Gives every account its opening balance, unless that was done before. */
  public static void openIn(Database database) {
    database.run(
        tx -> {
          if (tx.get(Layout.account(0)).isEmpty()) {
            for (int number = 0; number < Layout.ACCOUNTS; number++) {
              tx.set(Layout.account(number), Layout.balance(Layout.OPENING_BALANCE));
            }
          }
        });
  }

  /** All balances by account number; empty if the accounts were never opened. */
  static Optional<long[]> balances(Database database) {
    List<Key> keys = new ArrayList<>();
    for (int number = 0; number < Layout.ACCOUNTS; number++) {
      keys.add(Layout.account(number));
    }
    Map<Key, byte[]> stored = database.read(tx -> tx.getAll(keys));
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    long[] balances = new long[Layout.ACCOUNTS];
    for (int number = 0; number < Layout.ACCOUNTS; number++) {
      byte[] value = stored.get(keys.get(number));
      balances[number] = value == null ? Long.MIN_VALUE : Layout.balance(value);
    }
    return Optional.of(balances);
  }

  public static long sum(Database database) {
    long sum = 0;
    for (long balance : balances(database).orElseThrow()) {
      sum += balance;
    }
    return sum;
  }
}
