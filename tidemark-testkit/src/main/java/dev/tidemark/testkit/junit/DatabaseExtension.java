package dev.tidemark.testkit.junit;

import dev.tidemark.kv.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A JUnit extension that gives each test a database of its own and fails the test on leaks.
 *
 * <p>The database is opened before the test, handed to it as a parameter of type {@link Database},
 * and closed after it. The test fails if it left a transaction or a watch open, with the place
 * where it was opened, or if threads that did not run before are still running after the close:
 *
 * {@snippet :
 * @RegisterExtension
 * final DatabaseExtension databases = DatabaseExtension.opening(EmbeddedDatabase::inMemory);
 *
 * @Test
 * void valueIsStored(Database db) { ... }
 * }
 *
 * <p>Threads are compared for the whole JVM, so tests that run side by side turn that check off
 * with {@link #withoutThreadCheck}. Virtual threads are not seen by it.
 */
public final class DatabaseExtension
    implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(DatabaseExtension.class);
  private static final Duration THREADS_MAY_TAKE = Duration.ofSeconds(2);

  private final Supplier<? extends Database> open;
  private final boolean checksThreads;
  private volatile @Nullable Database current;

  private DatabaseExtension(Supplier<? extends Database> open, boolean checksThreads) {
    this.open = open;
    this.checksThreads = checksThreads;
  }

  /** An extension that opens the database of each test with {@code open}. */
  public static DatabaseExtension opening(Supplier<? extends Database> open) {
    return new DatabaseExtension(open, true);
  }

  /** This extension without the check for threads. */
  public DatabaseExtension withoutThreadCheck() {
    return new DatabaseExtension(open, false);
  }

  /**
   * The database of the running test, for code of the test that takes no parameters. The extension
   * has to be a field of the instance, so that each test has one.
   *
   * @throws IllegalStateException if no test is running
   */
  public Database database() {
    Database database = current;
    if (database == null) {
      throw new IllegalStateException("There is a database while a test is running only");
    }
    return database;
  }

  private record Opened(TrackedDatabase database, Set<Thread> threadsBefore) {}

  @Override
  public void beforeEach(ExtensionContext context) {
    Set<Thread> before = LeakedThreads.running();
    TrackedDatabase database = new TrackedDatabase(open.get());
    context.getStore(NAMESPACE).put(context.getUniqueId(), new Opened(database, before));
    current = database;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Opened opened = context.getStore(NAMESPACE).remove(context.getUniqueId(), Opened.class);
    if (opened == null) {
      return;
    }
    current = null;
    List<TrackedDatabase.Opened> leaks = opened.database().open();
    opened.database().close();
    List<Thread> threads =
        checksThreads
            ? LeakedThreads.startedSince(opened.threadsBefore(), THREADS_MAY_TAKE)
            : List.of();
    if (!leaks.isEmpty() || !threads.isEmpty()) {
      throw describe(leaks, threads);
    }
  }

  /** Each leak is a line of the message and a suppressed exception with its stack trace. */
  private static AssertionError describe(List<TrackedDatabase.Opened> leaks, List<Thread> threads) {
    List<String> lines = new ArrayList<>();
    List<Throwable> places = new ArrayList<>();
    for (TrackedDatabase.Opened leak : leaks) {
      lines.add(leak.what() + " is still open; " + leak.remedy() + caller(leak.where()));
      places.add(leak.where());
    }
    for (Thread thread : threads) {
      lines.add("the thread " + thread.getName() + " is still running; end it with the test");
      Throwable place = new Throwable(thread.getName() + " is here");
      place.setStackTrace(thread.getStackTrace());
      places.add(place);
    }
    AssertionError error = new AssertionError("The test leaks:\n - " + String.join("\n - ", lines));
    places.forEach(error::addSuppressed);
    return error;
  }

  /** The first line of a stack trace outside the store and the testkit. */
  private static String caller(Throwable where) {
    for (StackTraceElement element : where.getStackTrace()) {
      String type = element.getClassName();
      boolean ours =
          type.startsWith("dev.tidemark.kv.")
              || type.equals(TrackedDatabase.class.getName())
              || type.startsWith(TrackedDatabase.class.getName() + "$");
      if (!ours) {
        return " (opened at " + element + ")";
      }
    }
    return "";
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Database.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Opened opened = context.getStore(NAMESPACE).get(context.getUniqueId(), Opened.class);
    if (opened == null) {
      throw new IllegalStateException(
          "A Database can be a parameter of a test method, not of "
              + parameter.getDeclaringExecutable());
    }
    return opened.database();
  }
}
