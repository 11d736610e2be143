package dev.tidemark.node.internal.command.partitions;

import static dev.tidemark.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.node.Call;
import dev.tidemark.node.internal.cluster.ExampleCluster;
import dev.tidemark.node.internal.console.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionCommandsTest {
  private static ExampleCluster cluster;

  private Call call;

  @BeforeEach
  void nameTheManagers() {
    call = new Call(Map.of("TIDEMARK_MANAGERS", String.join(",", cluster.managers())));
  }

  @BeforeAll
  static void start() {
    cluster = ExampleCluster.start(Optional.empty(), 0);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void anOperatorSeesAndChangesACluster() {
    eventually("three nodes are active", () -> count("ACTIVE", ctl("members")) == 3);
    for (int i = 0; i < 50; i++) {
      assertThat(cluster("put", "key-%02d".formatted(i), "value-" + i)).isZero();
    }
    String partition = partitions().getFirst();

    assertThat(run("split", partition, "key-25")).as(call::err).isZero();
    assertThat(partitions()).hasSize(3);
    String upper = partitions().get(1);
    String node = ctl("routing").contains("node-2") ? "node-3" : "node-2";
    assertThat(run("migrate", upper, node)).as(call::err).isZero();
    assertThat(cluster("get", "key-40")).isZero();
    assertThat(call.out()).contains("value-40");
    assertThat(run("merge", partition, upper)).isEqualTo(1);
    assertThat(call.out()).contains("migrate one of them first");
    assertThat(run("drain", node)).as(call::err).isZero();
    assertThat(ctl("members")).containsPattern(node + " +DRAINING");
    assertThat(ctl("explain", upper)).contains("the policy is manual");
    eventually("every node has reported", () -> count("kv", ctl("stats")) >= 2);
    assertThat(call.out()).contains("RPS");
    assertThat(call.err()).isEmpty();
    assertThat(ctl("ops")).contains("split").contains("migrate").contains("drain");
    assertThat(ctl("ops", "list")).contains("split").contains("migrate").contains("drain");
    assertThat(run("ops", "watch")).as(call::err).isZero();
    assertThat(run("ops", "watch", failedOperation())).isEqualTo(1);
    assertThat(call.out()).contains("FAILED");
    assertThat(cluster("list", "key-48")).isZero();
    assertThat(call.out()).contains("key-48\tvalue-48").contains("key-49\tvalue-49");
  }

  @Test
  void objectsOfABucketArePutReadListedAndDeleted(@TempDir Path directory) throws IOException {
    eventually("the actors have partitions", () -> ctl("routing").contains("object"));
    Path file = Files.write(directory.resolve("cat"), new byte[] {0, 1, (byte) 0xff});
    Path copy = directory.resolve("copy");

    assertThat(object("put", "photos/cat", file.toString())).as(call::err).isZero();
    assertThat(object("put", "photos/cat", file.toString())).as(call::err).isZero();
    assertThat(call.out()).contains("version 2, 3 bytes");
    assertThat(object("put", "photos/cat", file.toString(), "--if-version", "1")).isEqualTo(1);
    assertThat(call.err()).contains("has version 2, not 1");
    assertThat(object("put", "photosets/one", file.toString())).as(call::err).isZero();
    assertThat(object("get", "photos/cat", copy.toString())).as(call::err).isZero();
    assertThat(copy).hasBinaryContent(new byte[] {0, 1, (byte) 0xff});
    assertThat(object("list", "photos")).isZero();
    assertThat(call.out()).isEqualTo("cat\tversion 2\t3 bytes\n");
    assertThat(object("list", "photos", "--json")).isZero();
    assertThat(call.out()).isEqualTo("{\"name\":\"cat\",\"version\":2,\"bytes\":3}\n");
    assertThat(object("delete", "photos/cat")).isZero();
    assertThat(object("delete", "photos/cat")).isEqualTo(1);
    assertThat(object("get", "photos/cat", copy.toString())).isEqualTo(1);
    assertThat(call.err()).contains("there is no photos/cat");
    assertThat(object("put", "no-bucket", file.toString())).isEqualTo(2);
    assertThat(object("put", "photos/cat", directory.resolve("gone").toString())).isEqualTo(1);
    assertThat(call.err()).endsWith("gone: there is no such file or directory\n");
  }

  @Test
  void aPolicyIsAppliedShownAndCleared(@TempDir Path directory) throws IOException {
    Path good = Files.writeString(directory.resolve("good.yaml"), "algorithm: manual\n");
    Path bad = Files.writeString(directory.resolve("bad.yaml"), "algorithm: magic\n");

    assertThat(run("policy", "apply", good.toString())).as(call::err).isZero();
    assertThat(ctl("policy", "get")).isEqualTo("algorithm: manual\n");
    assertThat(run("policy", "apply", bad.toString())).isEqualTo(1);
    assertThat(call.err()).contains("magic");
    Path broken = Files.writeString(directory.resolve("broken.yaml"), "algorithm: [\n");
    assertThat(run("policy", "apply", broken.toString())).isEqualTo(1);
    assertThat(call.err()).contains("is no YAML");
    assertThat(run("policy", "apply", directory.resolve("none.yaml").toString())).isEqualTo(1);
    assertThat(call.err()).contains("Cannot read the policy in").contains("none.yaml");
    assertThat(ctl("policy", "get")).isEqualTo("algorithm: manual\n");
    assertThat(run("policy", "clear")).isZero();
    assertThat(ctl("policy", "get")).isEmpty();
  }

  @Test
  void exitCodesTellFailuresApart() {
    eventually("the actors have partitions", () -> ctl("routing").contains("object"));
    String partition = partitions().getFirst();
    assertThat(run("migrate", partition, "nowhere")).isEqualTo(1);
    assertThat(call.out()).contains("nowhere is unknown, or not active");
    assertThat(run("split", partition, "")).as("no key is below the empty one").isEqualTo(1);
    assertThat(call.out()).contains("cannot be split at");
    assertThat(run("merge", partition, partition)).isEqualTo(1);
    assertThat(call.err()).contains("cannot be merged with itself");
    for (String[] unknown :
        List.of(
            new String[] {"stats", "nowhere"},
            new String[] {"explain", "nowhere"},
            new String[] {"migrate", "nowhere", "node-1"},
            new String[] {"failover", "nowhere"},
            new String[] {"drain", "nowhere"},
            new String[] {"ops", "nowhere"},
            new String[] {"ops", "cancel", "nowhere"},
            new String[] {"node", "reset", "nowhere"},
            new String[] {"ensure-type", "nowhere"})) {
      assertThat(run(unknown)).as(String.join(" ", unknown)).isEqualTo(4);
      assertThat(call.err()).contains("nowhere");
    }
    assertThat(run("ensure-type", "kv")).as(call::err).isZero();
    assertThat(run("members", "--manager", "nonsense")).isEqualTo(2);
    assertThat(call.err()).contains("is no address of a server");
    assertThat(run("members", "--manager", "")).isEqualTo(2);
    assertThat(run("split", "no-such-partition")).isEqualTo(4);
    assertThat(run("node", "reset", "node-1")).isEqualTo(1);
    assertThat(run("node", "add", "stray", "nonsense")).isEqualTo(1);
    assertThat(call.err()).contains("is no address of a server");
    assertThat(run("node", "remove", "stranger")).isEqualTo(4);
    assertThat(run("dance")).isEqualTo(2);
    assertThat(run("members", "--sideways")).isEqualTo(2);
    assertThat(run("policy", "apply")).isEqualTo(2);
    assertThat(run("ops", "cancel")).isEqualTo(2);
    assertThat(run("members", "--manager", "tidemark://127.0.0.1:1")).isEqualTo(3);
    assertThat(run()).isEqualTo(2);
  }

  @Test
  void jsonIsForScripts() {
    eventually("three nodes are members", () -> ctl("members", "--json").lines().count() == 3);
    assertThat(ctl("--json", "members")).startsWith("{\"node\":\"node-1\",\"state\":\"");
    assertThat(ctl("members", "--json").lines())
        .allMatch(line -> line.startsWith("{\"node\":\"node-") && line.endsWith("}"));
    assertThat(Json.of(Map.of("a\"b", Optional.empty()))).isEqualTo("{\"a\\\"b\":null}");
  }

  @Test
  void changesAreToldToScripts(@TempDir Path directory) throws IOException {
    eventually("the actors have partitions", () -> ctl("routing").contains("object"));
    Path file = Files.write(directory.resolve("cat"), new byte[] {1});
    assertThat(cluster("put", "told", "x", "--json")).as(call::err).isZero();
    assertThat(call.out()).isEqualTo("{\"done\":\"put\",\"key\":\"told\"}\n");
    assertThat(cluster("delete", "told", "--json")).isZero();
    assertThat(call.out()).isEqualTo("{\"done\":\"delete\",\"key\":\"told\"}\n");
    assertThat(object("put", "told/cat", file.toString(), "--json")).as(call::err).isZero();
    assertThat(call.out())
        .isEqualTo("{\"done\":\"put\",\"object\":\"told/cat\",\"version\":1,\"bytes\":1}\n");
    assertThat(object("get", "told/cat", file.toString(), "--json")).isZero();
    assertThat(call.out())
        .isEqualTo("{\"done\":\"get\",\"object\":\"told/cat\",\"version\":1,\"bytes\":1}\n");
    assertThat(object("delete", "told/cat", "--json")).isZero();
    assertThat(call.out()).isEqualTo("{\"done\":\"delete\",\"object\":\"told/cat\"}\n");
    Path policy = Files.writeString(directory.resolve("policy.yaml"), "algorithm: manual\n");
    assertThat(ctl("policy", "apply", policy.toString(), "--json"))
        .isEqualTo("{\"done\":\"apply\"}\n");
    assertThat(ctl("policy", "get", "--json")).isEqualTo("{\"policy\":\"algorithm: manual\"}\n");
    assertThat(ctl("policy", "clear", "--json")).isEqualTo("{\"done\":\"clear\"}\n");
    assertThat(ctl("policy", "get", "--json")).isEqualTo("{\"policy\":null}\n");
    assertThat(ctl("ensure-type", "kv", "--json"))
        .isEqualTo("{\"done\":\"ensure-type\",\"type\":\"kv\"}\n");
  }

  /** The keys of objects are tuples, and are shown and taken as the other commands do. */
  @Test
  void keysAreWrittenAsTheOtherCommandsWriteThem() {
    eventually("the actors have partitions", () -> ctl("routing").contains("object"));
    List<String> objects = partitionsOf("object");
    assertThat(objects).hasSize(1);
    assertThat(ctl("routing", "--json"))
        .contains("\"type\":\"object\",\"start\":null,\"end\":null");

    assertThat(run("split", objects.getFirst(), "(\"photos\", \"m\")")).as(call::err).isZero();
    assertThat(ctl("routing")).contains("(\"photos\", \"m\")");
    assertThat(run("split", objects.getFirst(), "\\q")).isEqualTo(2);
    // The other tests count partitions.
    List<String> halves = partitionsOf("object");
    assertThat(run("merge", halves.getFirst(), halves.getLast())).as(call::err).isZero();
  }

  private List<String> partitionsOf(String type) {
    return Pattern.compile("\"partition\":\"([^\"]+)\",\"type\":\"" + type + "\"")
        .matcher(ctl("routing", "--json"))
        .results()
        .map(row -> row.group(1))
        .toList();
  }

  private List<String> partitions() {
    Matcher rows = Pattern.compile("\"partition\":\"([^\"]+)\"").matcher(ctl("routing", "--json"));
    return rows.results().map(row -> row.group(1)).toList();
  }

  private String failedOperation() {
    Matcher rows = Pattern.compile("\"id\":\"([^\"]+)\"[^}]*FAILED").matcher(ctl("ops", "--json"));
    assertThat(rows.find()).as(call::out).isTrue();
    return rows.group(1);
  }

  private static long count(String word, String text) {
    return Pattern.compile(word).matcher(text).results().count();
  }

  private String ctl(String... args) {
    run(args);
    return call.out();
  }

  private int run(String... args) {
    return call.run(Stream.concat(Stream.of("ctl"), Stream.of(args)).toArray(String[]::new));
  }

  private int object(String... args) {
    return cluster(Stream.concat(Stream.of("object"), Stream.of(args)).toArray(String[]::new));
  }

  private int cluster(String... args) {
    return call.run(Stream.concat(Stream.of("cluster"), Stream.of(args)).toArray(String[]::new));
  }
}
