package dev.tidemark.node.internal.command.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.kv.Key;
import dev.tidemark.node.Call;
import dev.tidemark.remote.RemoteDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node from one small file. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ServeConfigTest {
  @TempDir private Path directory;
  private final Call call = new Call();

  private Path config(String... lines) throws IOException {
    return Files.writeString(directory.resolve("node.conf"), String.join("\n", lines));
  }

  @Test
  void nodeServesItsStoreAndManagesPartitions() throws Exception {
    Path file =
        config(
            "# a node of the shop",
            "directory: store",
            "port = 0",
            "no-tokens: false",
            "",
            "partition-types: meter, desk",
            "partition-port: 0",
            "partition-cluster: shop");
    try (ServeProcess process =
        ServeProcess.start(directory.resolve("store"), "--config", file.toString())) {
      try (RemoteDatabase client = RemoteDatabase.connect(process.uri())) {
        client.run(tx -> tx.set(Key.utf8("a"), new byte[] {1}));
      }
      String managing = process.line();
      assertThat(managing).startsWith("tidemark: managing partitions of meter, desk at ");
      String manager = managing.substring(managing.lastIndexOf(' ') + 1);
      assertThat(call.run("ctl", "members", "--manager", manager, "--json"))
          .as(call.err())
          .isZero();
      assertThat(process.terminate()).isZero();
    }
    assertThat(directory.resolve("store/TIDEMARK")).exists();
  }

  @Test
  void directoryOfTheFileIsServedBesideIt() throws Exception {
    Path file = config("directory: store", "port: many");

    assertThat(call.run("serve", "--config", file.toString())).isEqualTo(2);
    assertThat(call.err()).startsWith("tidemark: --port takes a number from 0 to 65535, not many");
    assertThat(call.run("serve", "--config", file.toString(), "--address", "nowhere.invalid"))
        .isEqualTo(2);
    assertThat(
            call.run(
                "serve",
                "--config",
                file.toString(),
                "--port",
                "0",
                "--address",
                "nowhere.invalid"))
        .isEqualTo(1);
    assertThat(call.err()).contains("cannot serve " + directory.resolve("store"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "prot: 7421 | Line 1 of FILE sets 'prot', which is none of directory, port, address",
        "port 7421 | Line 1 of FILE is 'port 7421'; a line is a name, a colon and a value",
        "port: 1;port: 2 | Line 2 of FILE sets port again",
        "plain-text: yes | Line 1 of FILE: plain-text is true or false, not 'yes'",
        "directory: x;partition-port: 1 | --partition-port needs --partition-types",
        "directory: x;partition-types: , | --partition-types takes the types of actors",
        "port: 1 | Missing required parameter: 'DIRECTORY', or directory in --config"
      })
  void mistakeInTheFileIsNamed(String lines, String reason) throws Exception {
    Path file = config(lines.split(";", -1));

    assertThat(call.run("serve", "--config", file.toString())).isEqualTo(2);
    assertThat(call.err()).startsWith("tidemark: " + reason.replace("FILE", file.toString()));
  }

  private static String fileOfTheGuide() throws IOException {
    String guide =
        Files.readString(Path.of(System.getProperty("tidemark.root", ".."), "docs/remote.md"));
    String block = guide.substring(guide.indexOf("    # node.conf\n"));
    return block.substring(0, block.indexOf("\n\n"));
  }

  /** As it is, but for the directory and the ports, which a test cannot have. */
  @Test
  void nodeOfTheGuideRuns() throws Exception {
    Path tokens = directory.resolve("tokens");
    Files.writeString(tokens, "operator one\nread-only two\n");
    Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
    Path mine = Files.writeString(directory.resolve("mine"), "one\n");
    Files.setPosixFilePermissions(mine, PosixFilePermissions.fromString("rw-------"));
    Path file = config(fileOfTheGuide());
    try (ServeProcess process =
        ServeProcess.start(
            directory.resolve("store"),
            "--config",
            file.toString(),
            "--port",
            "0",
            "--partition-port",
            "0")) {
      try (RemoteDatabase client = RemoteDatabase.connect(process.uri(), o -> o.withToken("one"))) {
        client.run(tx -> tx.set(Key.utf8("a"), new byte[] {1}));
      }
      assertThat(call.run("kv", "get", process.uri().toString(), "a")).isEqualTo(1);
      assertThat(call.run("kv", "get", process.uri().toString(), "a", "--token-file", "" + mine))
          .as(call.err())
          .isZero();
      String managing = process.line();
      assertThat(managing).startsWith("tidemark: managing partitions of meter, desk at ");
      String manager = managing.substring(managing.lastIndexOf(' ') + 1);
      assertThat(call.run("ctl", "members", "--manager", manager, "--token-file", mine.toString()))
          .as(call.err())
          .isZero();
      assertThat(process.terminate()).isZero();
      assertThat(process.errors()).doesNotContainIgnoringCase("warning").doesNotContain("\tat ");
    }
  }

  @Test
  void fileOfTheGuideIsUnderstood() throws Exception {
    Path file = config(fileOfTheGuide());

    assertThat(ConfigFile.read(file, ServeSettings.NAMES))
        .containsEntry("directory", "/var/lib/shop")
        .containsEntry("token-file", directory.resolve("tokens").toString())
        .containsEntry("partition-types", "meter, desk");
  }

  @Test
  void fileThatIsNotThereIsNamed() {
    assertThat(call.run("serve", "--config", "nowhere.conf")).isEqualTo(2);
    assertThat(call.err()).startsWith("tidemark: The file nowhere.conf of --config cannot be read");
  }
}
