package dev.tidemark.node.internal.command.partitions;

import dev.tidemark.kv.Key;
import dev.tidemark.node.internal.cluster.ExampleCluster;
import dev.tidemark.node.internal.cluster.KeyValueActor;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Json;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.ScanPage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts the example of partitions, and talks to its actors. */
@Command(
    name = "cluster",
    description = {
      "An example of partitions: two managers, three servers, and clients of two actor types:",
      "keys with values, and objects in buckets.",
      "The client finds the managers by TIDEMARK_MANAGERS, else at ports 7500 and 7501."
    },
    footer = {
      "%nExit codes: 0 done, 1 failed or nothing there, 2 wrong usage.",
      "%nExamples:",
      "  ./tidemark cluster start",
      "  ./tidemark cluster put hello world",
      "  ./tidemark cluster get hello"
    })
public final class ClusterCommands {
  private static final int FAILED = 1;
  private static final int PAGE = 100;

  private final Console console;

  /** Prints to {@code console}. */
  public ClusterCommands(Console console) {
    this.console = console;
  }

  @Command(
      name = "start",
      description = "Start the example in this process, until it is stopped.",
      footer = {
        "%nExamples:",
        "  ./tidemark cluster start",
        "  ./tidemark cluster start data --port 7600"
      })
  int start(
      @Parameters(
              arity = "0..1",
              paramLabel = "DIRECTORY",
              description = "Where the data is; in memory without it.")
          Optional<Path> directory,
      @Option(
              names = "--port",
              paramLabel = "N",
              defaultValue = "" + ExampleClient.PORT,
              description = "Of the first manager, the second has the next; 0 for free ones.")
          int port,
      @Mixin Format format)
      throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    try (ExampleCluster cluster = ExampleCluster.start(directory, port)) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(asked, ended), "cluster-stop"));
      console.event(
          format,
          "tidemark: managers at %s%n%s%n%s"
              .formatted(
                  String.join(", ", cluster.managers()),
                  cluster.servers().stream()
                      .map(server -> "tidemark: " + server)
                      .collect(Collectors.joining(System.lineSeparator())),
                  "tidemark: try ./tidemark cluster put hello world,"
                      + " ./tidemark cluster object list photos, ./tidemark ctl routing"),
          "serving",
          "managers",
          cluster.managers(),
          "servers",
          cluster.servers());
      asked.await();
    } finally {
      ended.countDown();
    }
    return 0;
  }

  private static void stop(CountDownLatch asked, CountDownLatch ended) {
    asked.countDown();
    try {
      ended.await();
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }

  @Command(
      name = "put",
      description = "Set KEY to VALUE.",
      footer = {"%nExamples:", "  ./tidemark cluster put hello world"})
  int put(
      @Parameters(index = "0", paramLabel = "KEY", description = "Any text.") String key,
      @Parameters(index = "1", paramLabel = "VALUE", description = "Any text.") String value,
      @Mixin Format format) {
    ask(new KeyValueActor.Request("put", key, value));
    console.done(format, "put", "key", key);
    return 0;
  }

  @Command(
      name = "get",
      description = "Show the value of KEY; exit code 1 if it has none.",
      footer = {"%nExamples:", "  ./tidemark cluster get hello"})
  int get(
      @Parameters(paramLabel = "KEY", description = "Any text.") String key, @Mixin Format format) {
    String answer = ask(new KeyValueActor.Request("get", key, ""));
    if (answer.equals(KeyValueActor.NOTHING)) {
      console.complain("there is no " + key);
      return FAILED;
    }
    show(format, key, answer, answer);
    return 0;
  }

  @Command(
      name = "delete",
      description = "Delete KEY.",
      footer = {"%nExamples:", "  ./tidemark cluster delete hello"})
  int delete(
      @Parameters(paramLabel = "KEY", description = "Any text.") String key, @Mixin Format format) {
    ask(new KeyValueActor.Request("delete", key, ""));
    console.done(format, "delete", "key", key);
    return 0;
  }

  @Command(
      name = "list",
      description = "Show the keys with their values, in order.",
      footer = {"%nExamples:", "  ./tidemark cluster list", "  ./tidemark cluster list m --json"})
  int list(
      @Parameters(
              arity = "0..1",
              paramLabel = "FROM",
              defaultValue = "",
              description = "The key to begin with.")
          String from,
      @Mixin Format format) {
    try (PartitionClient client = client()) {
      Optional<Key> next = Optional.of(Key.utf8(from));
      while (next.isPresent()) {
        ScanPage<String> page =
            client.scan(
                KeyValueActor.TYPE,
                new KeyValueActor.Request("list", "", ""),
                PartitionRange.from(next.get()),
                PAGE);
        page.items()
            .forEach(
                item -> {
                  String key = new String(item.key().toByteArray(), StandardCharsets.UTF_8);
                  show(format, key, item.value(), key + "\t" + item.value());
                });
        next = page.next();
      }
      return 0;
    }
  }

  private void show(Format format, String key, String value, String plain) {
    console.out().println(format.json() ? Json.of(Json.object("key", key, "value", value)) : plain);
  }

  private String ask(KeyValueActor.Request request) {
    try (PartitionClient client = client()) {
      return client.send(KeyValueActor.TYPE, Key.utf8(request.key()), request);
    }
  }

  private PartitionClient client() {
    return ExampleClient.connect(console);
  }
}
