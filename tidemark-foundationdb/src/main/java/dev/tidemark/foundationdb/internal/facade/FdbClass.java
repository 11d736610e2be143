package dev.tidemark.foundationdb.internal.facade;

import com.apple.foundationdb.Database;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The class {@code com.apple.foundationdb.FDB} of this JVM: the real one where its native library
 * is there, our {@link FdbSubstitute} under its name otherwise.
 *
 * <p>The real one fails in its initialiser without the library, and a class that has failed stays
 * so. A class of the same name on the class path would hide the real one from those who have the
 * library, or not, depending on the order. So it is defined at run time, in the class loader of
 * fdb-java and only if the library is missing.
 */
public final class FdbClass {
  private static final String NAME = "com.apple.foundationdb.FDB";

  /** Where fdb-java looks for its libraries first. */
  private static final String[] LIBRARY_PROPERTIES = {
    "FDB_LIBRARY_PATH_FDB_C", "FDB_LIBRARY_PATH_FDB_JAVA"
  };

  private FdbClass() {}

  /** The substitute's method {@code openWith}, or the reason why there is none. */
  private record Outcome(@Nullable MethodHandle openWith, @Nullable String problem) {}

  /** Initialised once, at the first use. */
  private static final class Defined {
    static final Outcome OUTCOME = nativeLibraryIsThere() ? new Outcome(null, null) : define();
  }

  /**
   * Makes sure that class {@code FDB} works.
   *
   * @throws IllegalStateException if it cannot, because it was loaded before
   */
  public static void prepare() {
    String problem = Defined.OUTCOME.problem();
    if (problem != null) {
      throw new IllegalStateException(problem);
    }
  }

  /**
   * Makes {@code FDB.open} return the databases of {@code databases}.
   *
   * @throws IllegalStateException if class {@code FDB} is the real one, or was loaded before
   */
  public static void openWith(Function<Executor, Database> databases) {
    prepare();
    MethodHandle openWith = Defined.OUTCOME.openWith();
    if (openWith == null) {
      throw new IllegalStateException(
          "FoundationDB's native library is on this machine, so FDB.open() leads to a cluster."
              + " Give the layer FdbFacade.of(database) instead, or take the library away.");
    }
    try {
      openWith.invoke(databases);
    } catch (Throwable unexpected) {
      throw new LinkageError("The substitute for class FDB does not work", unexpected);
    }
  }

  private static boolean nativeLibraryIsThere() {
    for (String property : LIBRARY_PROPERTIES) {
      if (System.getProperty(property) != null) {
        return true;
      }
    }
    try {
      System.loadLibrary("fdb_c");
      return true;
    } catch (UnsatisfiedLinkError missing) {
      return false;
    }
  }

  private static Outcome define() {
    try {
      Lookup lookup = MethodHandles.privateLookupIn(Database.class, MethodHandles.lookup());
      Class<?> fdb = definedBy(lookup);
      MethodType type = MethodType.methodType(void.class, Function.class);
      return new Outcome(lookup.findStatic(fdb, "openWith", type), null);
    } catch (NoSuchMethodException real) {
      return new Outcome(
          null,
          "Class FDB of fdb-java was loaded before FdbFacade could replace it, and cannot work"
              + " because the native library (libfdb_c) is missing. Call FdbFacade.of or"
              + " FdbFacade.install before anything else that uses fdb-java, in a static"
              + " initialiser of the test for example.");
    } catch (ReflectiveOperationException | IOException impossible) {
      return new Outcome(null, "Class FDB of fdb-java cannot be replaced: " + impossible);
    }
  }

  /** Class FDB: ours, or one that was there before; that may be ours too, from another loader. */
  private static Class<?> definedBy(Lookup lookup)
      throws IOException, IllegalAccessException, ClassNotFoundException {
    try {
      return lookup.defineClass(substitute());
    } catch (LinkageError present) {
      return Class.forName(NAME, false, Database.class.getClassLoader());
    }
  }

  private static byte[] substitute() throws IOException {
    String path = slashed(FdbSubstitute.class.getName());
    try (InputStream file = FdbClass.class.getResourceAsStream("/" + path + ".class")) {
      if (file == null) {
        throw new IOException("There is no " + path + ".class on the class path");
      }
      return ClassFile.rename(file.readAllBytes(), path, slashed(NAME));
    }
  }

  private static String slashed(String name) {
    return name.replace('.', '/');
  }
}
