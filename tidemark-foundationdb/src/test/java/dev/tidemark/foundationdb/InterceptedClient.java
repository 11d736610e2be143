package dev.tidemark.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.DatabaseOptions;
import com.apple.foundationdb.OptionConsumer;
import com.apple.foundationdb.Transaction;
import com.apple.foundationdb.TransactionOptions;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A client with one method of its transactions replaced: how a cluster that is in trouble acts. Or
 * one that notes its options.
 */
final class InterceptedClient {
  private InterceptedClient() {}

  /** What happens instead of the call. */
  interface Interception {
    CompletableFuture<?> apply(Transaction real, Object[] arguments);
  }

  /** {@code client}, the transactions of which do {@code instead} when {@code method} is called. */
  static Database of(Database client, String method, Interception instead) {
    return proxy(
        Database.class,
        (self, called, arguments) -> {
          Object result = invoke(client, called, arguments);
          return result instanceof Transaction real ? intercepted(real, method, instead) : result;
        });
  }

  /**
   * {@code client}, which does not follow the options that it is given: it adds them to {@code
   * noted}, by their codes.
   */
  static Database noting(Database client, List<String> noted) {
    return proxy(
        Database.class,
        (self, called, arguments) -> {
          Object result = invoke(client, called, arguments);
          return switch (result) {
            case Transaction real -> noting(real, noted);
            case DatabaseOptions real -> new DatabaseOptions(noting("database", noted));
            case null, default -> result;
          };
        });
  }

  private static Transaction noting(Transaction transaction, List<String> noted) {
    return proxy(
        Transaction.class,
        (self, called, arguments) -> {
          Object result = invoke(transaction, called, arguments);
          return result instanceof TransactionOptions
              ? new TransactionOptions(noting("transaction", noted))
              : result;
        });
  }

  private static OptionConsumer noting(String of, List<String> noted) {
    return (code, value) -> noted.add(of + " " + code + (value == null ? "" : "=" + number(value)));
  }

  private static long number(byte[] value) {
    return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private static Transaction intercepted(Transaction real, String method, Interception instead) {
    return proxy(
        Transaction.class,
        (self, called, arguments) ->
            called.getName().equals(method)
                ? instead.apply(real, arguments)
                : invoke(real, called, arguments));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            InterceptedClient.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static @Nullable Object invoke(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failure) {
      throw failure.getCause();
    }
  }
}
