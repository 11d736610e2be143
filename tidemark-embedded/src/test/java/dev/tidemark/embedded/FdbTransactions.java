package dev.tidemark.embedded;

import com.apple.foundationdb.Range;
import com.apple.foundationdb.TransactionOptions;
import com.apple.foundationdb.async.AsyncIterable;
import com.apple.foundationdb.async.AsyncIterator;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.MutationType;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.Scan;
import dev.tidemark.kv.Transaction;
import java.lang.reflect.Proxy;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Our transactions as fdb-java's, as far as its directory layer needs them. Every future that they
 * return is complete already.
 */
final class FdbTransactions {
  private static final Executor SAME_THREAD = Runnable::run;

  private FdbTransactions() {}

  static com.apple.foundationdb.Transaction over(Transaction tx) {
    return proxy(
        com.apple.foundationdb.Transaction.class,
        (self, call) ->
            switch (call.name) {
              case "set" -> done(() -> tx.set(call.key(0), call.bytes(1)));
              case "clear" -> done(() -> clear(tx, call));
              case "mutate" ->
                  done(
                      () ->
                          tx.mutate(
                              MutationType.valueOf(call.text(0)), call.key(1), call.bytes(2)));
              case "addWriteConflictKey" -> done(() -> tx.addWriteConflict(call.key(0)));
              case "snapshot" -> snapshot(tx.snapshot());
              case "options" -> new TransactionOptions((code, parameter) -> {});
              default -> read(tx, self, call);
            });
  }

  private static com.apple.foundationdb.ReadTransaction snapshot(ReadTransaction tx) {
    return proxy(
        com.apple.foundationdb.ReadTransaction.class, (self, call) -> read(tx, self, call));
  }

  @SuppressWarnings("unchecked")
  private static @Nullable Object read(ReadTransaction tx, Object self, Call call) {
    return switch (call.name) {
      case "get" -> CompletableFuture.completedFuture(tx.get(call.key(0)).orElse(null));
      case "getRange" -> rows(scan(tx, call));
      case "getExecutor" -> SAME_THREAD;
      case "runAsync", "readAsync" -> ((Function<Object, Object>) call.arguments[0]).apply(self);
      default -> throw new UnsupportedOperationException(call.name);
    };
  }

  private static void clear(Transaction tx, Call call) {
    if (call.arguments[0] instanceof Range range) {
      tx.clear(range(range.begin, range.end));
    } else {
      tx.clear(call.key(0));
    }
  }

  private static Scan scan(ReadTransaction tx, Call call) {
    boolean one = call.arguments[0] instanceof Range;
    Scan scan =
        call.arguments[0] instanceof Range range
            ? tx.scan(range(range.begin, range.end))
            : tx.scan(range(call.bytes(0), call.bytes(1)));
    int options = one ? 1 : 2;
    if (call.arguments.length > options && call.arguments[options] instanceof Integer limit) {
      scan = limit > 0 ? scan.limit(limit) : scan;
    }
    boolean reverse =
        call.arguments.length > options + 1 && call.arguments[options + 1].equals(true);
    return reverse ? scan.reverse() : scan;
  }

  private static KeyRange range(byte[] begin, byte[] end) {
    return KeyRange.of(Key.of(begin), Key.of(end));
  }

  private static AsyncIterable<com.apple.foundationdb.KeyValue> rows(Scan scan) {
    return new AsyncIterable<>() {
      @Override
      public AsyncIterator<com.apple.foundationdb.KeyValue> iterator() {
        return new CompleteIterator<>(list().iterator());
      }

      @Override
      public CompletableFuture<List<com.apple.foundationdb.KeyValue>> asList() {
        return CompletableFuture.completedFuture(list());
      }

      private List<com.apple.foundationdb.KeyValue> list() {
        return scan.stream()
            .map(row -> new com.apple.foundationdb.KeyValue(row.key().toByteArray(), row.value()))
            .toList();
      }
    };
  }

  private record CompleteIterator<T>(Iterator<T> rows) implements AsyncIterator<T> {
    @Override
    public CompletableFuture<Boolean> onHasNext() {
      return CompletableFuture.completedFuture(rows.hasNext());
    }

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public T next() {
      return rows.next();
    }

    @Override
    public void cancel() {}
  }

  private static @Nullable Object done(Runnable action) {
    action.run();
    return null;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Call(String name, Object[] arguments) {
    byte[] bytes(int index) {
      return (byte[]) arguments[index];
    }

    Key key(int index) {
      return Key.of(bytes(index));
    }

    String text(int index) {
      return arguments[index].toString();
    }
  }

  private interface Handler {
    @Nullable Object answer(Object self, Call call);
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                handler.answer(
                    self,
                    new Call(method.getName(), arguments == null ? new Object[0] : arguments))));
  }
}
