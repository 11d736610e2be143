package dev.tidemark.bench.records;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.Transaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The keys that a layer reads and the writes that it makes in a transaction of the store. */
final class Spy {
  private final List<Key> gets = new ArrayList<>();
  private final List<Consumer<Transaction>> writes = new ArrayList<>();

  private Spy() {}

  /** What {@code body} does. Nothing of it is committed. */
  static Spy on(Database database, Consumer<Transaction> body) {
    Spy spy = new Spy();
    try (Transaction tx = database.begin()) {
      body.accept(spy.watched(tx));
    }
    return spy;
  }

  /** The keys of single reads, in order. */
  List<Key> gets() {
    return List.copyOf(gets);
  }

  /** Does the writes again, and nothing but those. */
  void replay(Transaction tx) {
    for (Consumer<Transaction> write : writes) {
      write.accept(tx);
    }
  }

  private Transaction watched(Transaction tx) {
    return (Transaction)
        Proxy.newProxyInstance(
            Spy.class.getClassLoader(),
            new Class<?>[] {Transaction.class},
            (proxy, method, args) -> {
              note(method.getName(), args);
              try {
                return method.invoke(tx, args);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause() == null ? thrown : thrown.getCause();
              }
            });
  }

  private void note(String call, Object @Nullable [] args) {
    if (args == null) {
      return;
    }
    switch (call) {
      case "get" -> gets.add((Key) args[0]);
      case "set" -> writes.add(tx -> tx.set((Key) args[0], (byte[]) args[1]));
      case "clear" -> writes.add(clear(args[0]));
      case "mutate" ->
          writes.add(tx -> tx.mutate((MutationType) args[0], (Key) args[1], (byte[]) args[2]));
      default -> {}
    }
  }

  private static Consumer<Transaction> clear(Object what) {
    return what instanceof Key key ? tx -> tx.clear(key) : tx -> tx.clear((KeyRange) what);
  }
}
