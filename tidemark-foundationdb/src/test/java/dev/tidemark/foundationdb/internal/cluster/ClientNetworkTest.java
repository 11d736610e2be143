package dev.tidemark.foundationdb.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.apple.foundationdb.Database;
import dev.tidemark.foundationdb.internal.facade.ClassFile;
import dev.tidemark.kv.Key;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The network in programs of their own: each test has its class loader, and its class FDB. */
class ClientNetworkTest {
  private static final String FDB = "com.apple.foundationdb.FDB";

  private final Program program =
      new Program(
          Stream.of(ClientNetwork.class, Database.class, Key.class, NullMarked.class)
              .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
              .toArray(URL[]::new));

  /** Has {@link NotingFdb} for class FDB. */
  private static final class Program extends URLClassLoader {
    Program(URL[] urls) {
      super(urls, ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (!name.equals(FDB)) {
        return super.findClass(name);
      }
      String path = NotingFdb.class.getName().replace('.', '/');
      try (InputStream file = NotingFdb.class.getResourceAsStream("/" + path + ".class")) {
        byte[] bytes = Objects.requireNonNull(file).readAllBytes();
        byte[] renamed = ClassFile.rename(bytes, path, name.replace('.', '/'));
        return defineClass(name, renamed, 0, renamed.length);
      } catch (IOException unreadable) {
        throw new ClassNotFoundException(name, unreadable);
      }
    }
  }

  @AfterEach
  void close() throws Exception {
    program.close();
  }

  private List<?> calls() throws Exception {
    return (List<?>) program.loadClass(FDB).getField("CALLS").get(null);
  }

  private Class<?> type(String name) throws Exception {
    return program.loadClass("dev.tidemark.foundationdb." + name);
  }

  private Object defaults() throws Exception {
    return type("FoundationDbOptions").getField("DEFAULTS").get(null);
  }

  private Object withTraces(String directory) throws Exception {
    return type("FoundationDbOptions")
        .getMethod("withTraceDirectory", Path.class)
        .invoke(defaults(), Path.of(directory));
  }

  private Object withTls(String... files) throws Exception {
    Object tls =
        type("TlsFiles")
            .getConstructor(Path.class, Path.class, Path.class)
            .newInstance(Stream.of(files).map(Path::of).toArray());
    return type("FoundationDbOptions")
        .getMethod("withTls", type("TlsFiles"))
        .invoke(defaults(), tls);
  }

  /** What an open of {@code clusterFile} fails with; {@link NotingFdb} lets none succeed. */
  private Throwable open(String clusterFile, Object options) throws Exception {
    Method connect =
        type("internal.cluster.ClientNetwork")
            .getDeclaredMethod("connect", String.class, type("FoundationDbOptions"));
    connect.setAccessible(true);
    Throwable failure = catchThrowable(() -> connect.invoke(null, clusterFile, options));
    return Objects.requireNonNull(((InvocationTargetException) failure).getCause());
  }

  @Test
  void networkIsStartedOnceForAllDatabases() throws Exception {
    assertThat(open("", defaults())).hasMessageContaining("As injected");
    assertThat(open("/a.cluster", defaults())).hasMessageContaining("As injected");

    assertThat(calls().stream().map(Object::toString))
        .containsExactly("select 730", "start", "open the default", "open /a.cluster");
  }

  @Test
  void networkIsToldItsSettingsBeforeItStarts() throws Exception {
    open("", withTraces("/traces"));

    assertThat(calls().stream().map(Object::toString))
        .containsExactly("select 730", "option 30 /traces", "start", "open the default");
  }

  @Test
  void networkIsToldTheFilesOfTls() throws Exception {
    open("", withTls("/certificate.pem", "/key.pem", "/authorities.pem"));

    assertThat(calls().stream().map(Object::toString))
        .containsExactly(
            "select 730",
            "option 43 /certificate.pem",
            "option 46 /key.pem",
            "option 53 /authorities.pem",
            "start",
            "open the default");
  }

  @Test
  void otherSettingsThanThoseOfTheFirstDatabaseAreRefused() throws Exception {
    open("", withTraces("/traces"));

    assertThat(open("", withTraces("/others")))
        .hasMessageContaining("/traces")
        .hasMessageContaining("/others")
        .hasMessageContaining("use the same traceDirectory and tls");
    assertThat(open("", withTraces("/traces"))).hasMessageContaining("As injected");
  }

  private void select(int version) throws Exception {
    program.loadClass(FDB).getMethod("selectAPIVersion", int.class).invoke(null, version);
  }

  @Test
  void apiVersionThatTheProgramHasSelectedIsTakenIfItIsNotOlder() throws Exception {
    select(740);

    open("", defaults());

    assertThat(calls().stream().map(Object::toString))
        .containsExactly("select 740", "start", "open the default");
  }

  @Test
  void olderApiVersionIsRefused() throws Exception {
    select(720);

    assertThat(open("", defaults()))
        .hasMessageContaining("API version 720")
        .hasMessageContaining("needs 730");
    assertThat(calls().stream().map(Object::toString)).containsExactly("select 720");
  }
}
