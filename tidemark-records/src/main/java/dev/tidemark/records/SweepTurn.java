package dev.tidemark.records;

import dev.tidemark.kv.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** One sweep of all types of a space. */
final class SweepTurn {
  private final RecordSpace space;
  private final int perTransaction;
  private final BooleanSupplier over;
  private final List<RuntimeException> failures = new ArrayList<>();
  private long swept;
  private boolean complete = true;

  SweepTurn(RecordSpace space, int perTransaction, BooleanSupplier over) {
    this.space = space;
    this.perTransaction = perTransaction;
    this.over = over;
  }

  /** Sweeps every type, though another one fails, and of every type something. */
  UpkeepEvent.Swept run() {
    for (RecordType<?> type : space.schema().types()) {
      if (type.spec().expiry().isPresent()) {
        try {
          sweep(space.store(type));
        } catch (RuntimeException failure) {
          failures.add(failure);
        }
      }
    }
    if (!failures.isEmpty()) {
      RuntimeException first = failures.removeFirst();
      failures.forEach(first::addSuppressed);
      throw first;
    }
    return new UpkeepEvent.Swept(swept, complete);
  }

  private void sweep(RecordStore<?> store) {
    Database database = space.database();
    int now;
    do {
      now = database.<Integer, RuntimeException>transact(tx -> store.sweep(tx, perTransaction));
      swept += now;
    } while (now == perTransaction && !over.getAsBoolean());
    complete &= now < perTransaction;
  }
}
