package dev.tidemark.node.internal.command.kv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.directory.Directory;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.node.Call;
import dev.tidemark.remote.DatabaseServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code kv}. */
class KvCommandsTest {
  @TempDir private Path directory;
  private final Call call = new Call();

  @BeforeEach
  void makeStore() {
    try (Database database = EmbeddedDatabase.open(directory.resolve("store"))) {
      Directory users = DirectoryLayer.DEFAULT.createOrOpen(database, "app", "users");
      DirectoryLayer.DEFAULT.create(database, LayerId.of("queue"), "app", "jobs");
      database.run(
          tx -> {
            for (int i = 0; i < 5; i++) {
              tx.set(users.subspace().pack(i), ("user " + i).getBytes(StandardCharsets.UTF_8));
            }
          });
    }
  }

  private String store() {
    return directory.resolve("store").toString();
  }

  @Test
  void valueIsSetReadAndCleared() {
    assertThat(kv("set", store(), "greeting", "hello")).as(call.err()).isZero();
    assertThat(kv("get", store(), "greeting")).isZero();
    assertThat(call.out()).isEqualTo("hello\n");
    assertThat(kv("get", store(), "greeting", "--raw")).isZero();
    assertThat(call.out()).isEqualTo("hello");
    assertThat(kv("get", store(), "greeting", "--json")).isZero();
    assertThat(call.out())
        .isEqualTo("{\"key\":\"greeting\",\"key_hex\":\"6772656574696e67\",\"value\":\"hello\"}\n");
    assertThat(kv("clear", store(), "greeting")).isZero();
    assertThat(kv("get", store(), "greeting")).isEqualTo(1);
    assertThat(call.err()).isEqualTo("tidemark: there is no key greeting\n");
  }

  @Test
  void changesAreToldToScripts() {
    assertThat(kv("set", store(), "greeting", "hello", "--json")).as(call.err()).isZero();
    assertThat(call.out())
        .isEqualTo("{\"done\":\"set\",\"key\":\"greeting\",\"key_hex\":\"6772656574696e67\"}\n");
    assertThat(kv("clear", store(), "greeting", "--prefix", "--json")).isZero();
    assertThat(call.out())
        .isEqualTo(
            "{\"done\":\"clear\",\"key\":\"greeting\",\"key_hex\":\"6772656574696e67\",\"prefix\":true}\n");
    Path backup = directory.resolve("backup");
    assertThat(kv("backup", store(), backup.toString(), "--json")).as(call.err()).isZero();
    assertThat(call.out())
        .isEqualTo("{\"done\":\"backup\",\"directory\":\"%s\"}\n".formatted(backup));
    Path again = directory.resolve("again");
    assertThat(kv("restore", backup.toString(), again.toString(), "--json")).isZero();
    assertThat(call.out())
        .isEqualTo("{\"done\":\"restore\",\"directory\":\"%s\"}\n".formatted(again));
    assertThat(kv("verify", again.toString(), "--json")).isZero();
    assertThat(call.out())
        .isEqualTo("{\"done\":\"verify\",\"directory\":\"%s\"}\n".formatted(again));
  }

  @Test
  void storeInUseIsSaidWithWhatToDo() {
    try (Database inUse = EmbeddedDatabase.open(directory.resolve("store"))) {
      assertThat(kv("get", store(), "greeting")).isEqualTo(1);
      assertThat(inUse.limits().keyBytes()).isPositive();
    }
    assertThat(call.err()).contains("in use by another process", "give its address");
  }

  @Test
  void whatIsNoDirectoryIsSaid() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThat(kv("get", file.toString(), "x")).isEqualTo(1);
    assertThat(call.err())
        .isEqualTo("tidemark: %s is a file, and not a directory\n".formatted(file));
    assertThat(kv("restore", directory.resolve("gone").toString(), "x")).isEqualTo(1);
    assertThat(call.err()).startsWith("tidemark: There is no directory ");
  }

  @Test
  void anAddressIsNotTakenForADirectory() {
    String address = "tidemark://127.0.0.1:1";
    for (String[] arguments :
        List.of(
            new String[] {"verify", address},
            new String[] {"restore", address, "x"},
            new String[] {"restore", directory.toString(), address},
            new String[] {"backup", store(), address})) {
      assertThat(kv(arguments)).as(String.join(" ", arguments)).isEqualTo(2);
      assertThat(call.err()).contains(address + " is an address; this command takes a directory");
    }
  }

  @Test
  void keysOfADirectoryAreReadWithoutItsPrefix() {
    assertThat(kv("get", store(), "(3)", "--in", "app/users")).as(call.err()).isZero();
    assertThat(call.out()).isEqualTo("user 3\n");
    assertThat(kv("range", store(), "--in", "/app/users", "(1)", "(3)")).as(call.err()).isZero();
    assertThat(call.out()).isEqualTo("(1)\tuser 1\n(2)\tuser 2\n");
    assertThat(kv("range", store(), "--in", "app/users", "--limit", "2")).isZero();
    assertThat(call.out().lines()).hasSize(2);
    assertThat(call.err()).contains("there are more; --limit shows them");
    assertThat(kv("get", store(), "(3)", "--in", "app/nobody")).isEqualTo(1);
    assertThat(call.err()).contains("There is no directory /app/nobody");
  }

  @Test
  void whatRangePrintsGetTakes() {
    Tuple odd = Tuple.of("a \"b\" \\ ü\n", new byte[] {0, '"', -1}, -7L, 1.5, 2.5f, true, null);
    try (Database database = EmbeddedDatabase.open(directory.resolve("store"))) {
      database.run(
          tx -> {
            tx.set(odd.nest(Tuple.of(1, "x")).toKey(), new byte[] {1});
            tx.set(Key.of((byte) 1, (byte) '\\', (byte) 'z'), new byte[] {2});
          });
    }
    assertThat(kv("range", store(), "\\x00", "\\x03")).as(call.err()).isZero();
    String[] rows = call.out().split("\n", -1);
    assertThat(rows).hasSize(3);
    assertThat(kv("get", store(), rows[1].split("\t", -1)[0])).as(rows[1] + call.err()).isZero();
    assertThat(call.out()).isEqualTo("\\x01\n");
    assertThat(kv("get", store(), rows[0].split("\t", -1)[0])).as(rows[0] + call.err()).isZero();
  }

  @Test
  void rangeBeginsWithAPrefixAndAllOfItIsCleared() {
    for (int i = 0; i < 3; i++) {
      assertThat(kv("set", store(), "(\"tmp\", %d)".formatted(i), "x")).isZero();
    }
    assertThat(kv("range", store(), "--prefix", "(\"tmp\")")).isZero();
    assertThat(call.out()).isEqualTo("(\"tmp\", 0)\tx\n(\"tmp\", 1)\tx\n(\"tmp\", 2)\tx\n");
    assertThat(kv("clear", store(), "(\"tmp\")", "--prefix")).isZero();
    assertThat(kv("range", store(), "--prefix", "(\"tmp\")")).isZero();
    assertThat(call.out()).isEmpty();
  }

  @Test
  void directoriesAreListed() {
    assertThat(kv("list", store())).as(call.err()).isZero();
    assertThat(call.out()).contains("app/users").containsPattern("app/jobs +queue");
    assertThat(kv("list", store(), "app/jobs", "--json")).isZero();
    assertThat(call.out())
        .startsWith("{\"path\":\"app/jobs\",\"layer\":\"queue\",")
        .hasLineCount(1);
    assertThat(kv("stat", store(), "--json")).isZero();
    assertThat(call.out()).contains("\"version\":").contains("\"key_limit\":10000");
  }

  @Test
  void backupIsRestoredAndVerified() {
    String backup = directory.resolve("backup").toString();
    String restored = directory.resolve("restored").toString();
    assertThat(kv("backup", store(), backup)).as(call.err()).isZero();
    assertThat(kv("restore", backup, restored)).as(call.err()).isZero();
    assertThat(kv("verify", restored)).as(call.err()).isZero();
    assertThat(kv("get", restored, "(4)", "--in", "app/users")).isZero();
    assertThat(call.out()).isEqualTo("user 4\n");
    assertThat(kv("restore", backup, restored)).isEqualTo(1);
    assertThat(call.err()).startsWith("tidemark: ").doesNotContain("\tat ");
  }

  @Test
  void servedStoreIsBackedUpAndCopied() {
    String backup = directory.resolve("backup").toString();
    String copy = directory.resolve("copy").toString();
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("store"));
        DatabaseServer server = DatabaseServer.open(database)) {
      String uri = server.uri().toString();
      assertThat(kv("backup", uri, backup)).as(call.err()).isZero();
      assertThat(kv("copy", uri, copy, "--json")).as(call.err()).isZero();
      assertThat(call.out()).contains("\"rows\":").contains("\"rows_copied\":");
    }
    for (String each : new String[] {copy, backup}) {
      String opened = each;
      if (each.equals(backup)) {
        opened = directory.resolve("restored").toString();
        assertThat(kv("restore", backup, opened)).as(call.err()).isZero();
      }
      assertThat(kv("get", opened, "(2)", "--in", "app/users")).as(call.err()).isZero();
      assertThat(call.out()).isEqualTo("user 2\n");
    }
    assertThat(kv("copy", copy, store())).isEqualTo(1);
    assertThat(call.err()).startsWith("tidemark: ").doesNotContain("\tat ");
  }

  @Test
  void mistakesAreNamedBeforeAnythingIsOpened() {
    assertThat(kv("get", "nowhere", "(1, x)")).isEqualTo(2);
    assertThat(call.err()).contains("The tuple (1, x) is wrong at character 5");
    assertThat(kv("get", "nowhere", "a\\y")).isEqualTo(2);
    assertThat(call.err()).contains("followed neither by x and two digits");
    assertThat(kv("range", "nowhere", "b", "--prefix", "a")).isEqualTo(2);
    assertThat(kv("range", "nowhere", "--limit", "0")).isEqualTo(2);
    assertThat(kv("clear", "nowhere", "", "--prefix")).isEqualTo(2);
    assertThat(kv("get", directory.resolve("none").toString(), "a")).isEqualTo(1);
    assertThat(call.err()).contains("There is no directory", "so does serve");
    assertThat(kv("verify", directory.toString())).isEqualTo(1);
    assertThat(call.err()).contains("There is no database in", "of a backup, restore does");
    assertThat(Files.exists(directory.resolve("none"))).isFalse();
  }

  private int kv(String... args) {
    return call.run(Stream.concat(Stream.of("kv"), Stream.of(args)).toArray(String[]::new));
  }
}
