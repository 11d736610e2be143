package dev.tidemark.foundationdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.apple.foundationdb.Database;
import dev.tidemark.kv.Key;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Class FDB in programs of their own: each test has its class loader. */
class FdbClassTest {
  private final URLClassLoader program =
      new URLClassLoader(
          Stream.of(FdbFacade.class, Database.class, Key.class, NullMarked.class)
              .map(FdbClassTest::home)
              .toArray(URL[]::new),
          ClassLoader.getPlatformClassLoader());

  @AfterEach
  void close() throws Exception {
    program.close();
  }

  private static URL home(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  private void prepare() throws Throwable {
    try {
      program
          .loadClass("dev.tidemark.foundationdb.internal.facade.FdbClass")
          .getMethod("prepare")
          .invoke(null);
    } catch (InvocationTargetException failure) {
      throw failure.getCause();
    }
  }

  private Class<?> fdb() throws Exception {
    return Class.forName("com.apple.foundationdb.FDB", true, program);
  }

  @Test
  void substituteLivesInTheClassLoaderOfFdbJava() throws Throwable {
    prepare();
    prepare();
    assertThat(fdb().getClassLoader()).isSameAs(program);
    assertThat(fdb().getMethod("isAPIVersionSelected").invoke(null)).isEqualTo(false);
  }

  @Test
  void openingWithoutAStoreSaysWhatIsMissing() throws Throwable {
    prepare();
    Object instance = fdb().getMethod("selectAPIVersion", int.class).invoke(null, 740);
    assertThatThrownBy(() -> fdb().getMethod("open").invoke(instance))
        .rootCause()
        .hasMessageContaining("libfdb_c")
        .hasMessageContaining("FdbFacade.install");
  }

  @Test
  void tupleWithAVersionstampNeedsNoApiVersionFromTheSubstitute() throws Throwable {
    prepare();
    Class<?> stamps = program.loadClass("com.apple.foundationdb.tuple.Versionstamp");
    Class<?> tuples = program.loadClass("com.apple.foundationdb.tuple.Tuple");
    Object[] elements = {stamps.getMethod("incomplete").invoke(null)};
    Object tuple = tuples.getMethod("from", Object[].class).invoke(null, (Object) elements);
    byte[] packed = (byte[]) tuples.getMethod("packWithVersionstamp").invoke(tuple);
    assertThat(packed).hasSize(1 + 12 + 4);
    assertThat(fdb().getMethod("isAPIVersionSelected").invoke(null)).isEqualTo(false);
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 510, 741})
  void apiVersionMustBeOneThatTheFacadeKeeps(int version) throws Throwable {
    prepare();
    assertThatThrownBy(() -> fdb().getMethod("selectAPIVersion", int.class).invoke(null, version))
        .rootCause()
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("API version " + version);
  }

  @Test
  void facadeThatComesTooLateSaysSo() {
    Throwable problem = catchThrowable(this::fdb);
    assumeThat(problem).as("without the system finding libfdb_c").isNotNull();
    assertThat(problem).isInstanceOf(UnsatisfiedLinkError.class);
    assertThatThrownBy(this::prepare)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("before anything else that uses fdb-java");
  }
}
