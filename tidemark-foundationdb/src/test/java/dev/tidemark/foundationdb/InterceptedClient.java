package dev.tidemark.foundationdb;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.Transaction;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A client with one method of its transactions replaced: how a cluster that is in trouble acts. */
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
