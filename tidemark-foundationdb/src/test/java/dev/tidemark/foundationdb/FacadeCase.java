package dev.tidemark.foundationdb;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.apple.foundationdb.Database;
import com.apple.foundationdb.FDBException;
import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What tests of the facade share: a store in memory with a clock moved by hand, and short forms.
 */
@Timeout(60)
abstract class FacadeCase {
  final ManualTime time = ManualTime.selfAdvancing();
  final EmbeddedDatabase store = EmbeddedDatabase.inMemory(o -> o.withTime(time));
  final Database db = FdbFacade.of(store);

  @AfterEach
  void close() {
    store.close();
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Commits rows given as {@code key=value}. */
  void put(String... rows) {
    db.run(
        tx -> {
          for (String row : rows) {
            String[] parts = row.split("=", 2);
            tx.set(bytes(parts[0]), bytes(parts[1]));
          }
          return true;
        });
  }

  byte[] stored(String key) {
    return db.run(tx -> tx.get(bytes(key)).join());
  }

  /** FoundationDB's code for the failure of {@code future}. */
  static int code(CompletableFuture<?> future) {
    Throwable problem = future.handle((value, failure) -> failure).join();
    Throwable cause = problem instanceof CompletionException ? problem.getCause() : problem;
    return ((FDBException) requireNonNull(cause)).getCode();
  }

  /** FoundationDB's code for what {@code call} throws. */
  static int code(Runnable call) {
    return ((FDBException) catchThrowable(call::run)).getCode();
  }
}
