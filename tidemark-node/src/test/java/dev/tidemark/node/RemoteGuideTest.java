package dev.tidemark.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Key;
import dev.tidemark.remote.DatabaseServer;
import dev.tidemark.remote.RemoteDatabase;
import dev.tidemark.testkit.Guide;
import dev.tidemark.testkit.server.Certificates;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/remote.md. */
class RemoteGuideTest {
  private static final String SOURCE =
      "tidemark-node/src/test/java/dev/tidemark/node/RemoteGuideTest.java";

  @TempDir Path directory;

  private final AtomicLong printed = new AtomicLong();

  @Test
  void programServesWhatAnotherOneUses() {
    serve(directory.resolve("database"), 0);
  }

  private void serve(Path directory, int port) {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory);
        DatabaseServer server = DatabaseServer.open(database, o -> o.withPort(port))) {
      run(server.uri());
    }
  }

  private static void run(URI address) {
    assertThat(new String(greet(address), UTF_8)).isEqualTo("hello");
  }

  private static byte[] greet(URI address) {
    try (RemoteDatabase database = RemoteDatabase.connect(address)) {
      database.run(tx -> tx.set(Key.utf8("greeting"), "hello".getBytes(UTF_8)));
      return database.read(tx -> tx.get(Key.utf8("greeting"))).orElseThrow();
    }
  }

  @Test
  void clientBelievesTheAuthoritiesItIsGiven() throws Exception {
    Certificates certificates = Certificates.make(directory, "server");
    Path certificate = certificates.certificate();
    try (EmbeddedDatabase database = EmbeddedDatabase.inMemory();
        DatabaseServer server =
            DatabaseServer.open(database, o -> o.withTls(certificate, certificates.privateKey()));
        RemoteDatabase client = connect(server.uri(), certificate)) {
      client.run(tx -> tx.set(Key.utf8("greeting"), "hello".getBytes(UTF_8)));
      byte[] stored = database.read(tx -> tx.get(Key.utf8("greeting"))).orElseThrow();
      assertThat(new String(stored, UTF_8)).isEqualTo("hello");
    }
  }

  @Test
  void operatorMakesABackupThatRestores() {
    Path target = directory.resolve("backup");
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("database"));
        DatabaseServer server = DatabaseServer.open(database)) {
      run(server.uri());
      backup(server.uri(), target);
    }
    assertThat(printed).hasPositiveValue();
    EmbeddedDatabase.restore(target, directory.resolve("restored"));
    serve(directory.resolve("restored"), 0);
  }

  private void backup(URI address, Path target) {
    try (RemoteDatabase database = RemoteDatabase.connect(address)) {
      database.backup(target, progress -> print(progress.bytes(), progress.bytesTotal()));
    }
  }

  private void print(long bytes, long total) {
    printed.set(Math.max(bytes, total));
  }

  RemoteDatabase connect(URI address, Path authorities) {
    return RemoteDatabase.connect(address, o -> o.withAuthorities(authorities));
  }

  /** Every block of Java in the guide is part of this class. */
  @Test
  void guideShowsCodeThatRuns() {
    Guide.read("docs/remote.md").showsCodeOf(4, SOURCE);
  }
}
