package dev.tidemark.node.internal.command.partitions;

import dev.tidemark.kv.Key;
import dev.tidemark.node.internal.cluster.ObjectActor;
import dev.tidemark.node.internal.cluster.ObjectActor.Request;
import dev.tidemark.node.internal.cluster.ObjectActor.Stored;
import dev.tidemark.node.internal.cluster.ObjectActor.Verb;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Json;
import dev.tidemark.node.internal.console.Misuse;
import dev.tidemark.partitions.PartitionClient;
import dev.tidemark.partitions.PartitionRange;
import dev.tidemark.partitions.ScanPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Objects in buckets, the second example of partitions. */
@Command(
    name = "object",
    description = "Objects in buckets: put, get, list and delete them.",
    footer = {
      "%nExit codes: 0 done, 1 failed or nothing there, 2 wrong usage.",
      "%nExamples:",
      "  ./tidemark cluster object put photos/cat.jpg cat.jpg",
      "  ./tidemark cluster object list photos"
    })
public final class ObjectCommands {
  private static final int FAILED = 1;
  private static final int PAGE = 100;

  private final Console console;

  /** Prints to {@code console}. */
  public ObjectCommands(Console console) {
    this.console = console;
  }

  /** The two parts of BUCKET/NAME. */
  private static Key key(String object) {
    int slash = object.indexOf('/');
    if (slash < 1 || slash == object.length() - 1) {
      throw new Misuse("%s is no BUCKET/NAME".formatted(object));
    }
    return ObjectActor.key(object.substring(0, slash), object.substring(slash + 1));
  }

  @Command(
      name = "put",
      description = "Store a file as an object.",
      footer = {
        "%nExamples:",
        "  ./tidemark cluster object put photos/cat.jpg cat.jpg",
        "  ./tidemark cluster object put photos/cat.jpg cat.jpg --if-version 0"
      })
  int put(
      @Parameters(index = "0", paramLabel = "BUCKET/NAME", description = "Which object.")
          String object,
      @Parameters(index = "1", paramLabel = "FILE", description = "What it holds, up to 256 KiB.")
          Path file,
      @Option(
              names = "--if-version",
              paramLabel = "N",
              defaultValue = "" + ObjectActor.ANY_VERSION,
              description = "Only if the object has this version; 0 for a new one.")
          long ifVersion,
      @Mixin Format format)
      throws IOException {
    Key key = key(object);
    Stored stored = ask(new Request(Verb.PUT, key, ifVersion, Files.readAllBytes(file)));
    return done(format, "put", object, stored);
  }

  /** Says which version was written or read. */
  private int done(Format format, String what, String object, Stored stored) {
    console.say(
        format,
        "%s: version %d, %d bytes".formatted(object, stored.version(), stored.length()),
        what,
        "object",
        object,
        "version",
        stored.version(),
        "bytes",
        stored.length());
    return 0;
  }

  @Command(
      name = "get",
      description = "Write what an object holds to FILE; exit code 1 if there is none.",
      footer = {"%nExamples:", "  ./tidemark cluster object get photos/cat.jpg copy.jpg"})
  int get(
      @Parameters(index = "0", paramLabel = "BUCKET/NAME", description = "Which object.")
          String object,
      @Parameters(index = "1", paramLabel = "FILE", description = "Where to.") Path file,
      @Mixin Format format)
      throws IOException {
    Stored stored = ask(new Request(Verb.GET, key(object), ObjectActor.ANY_VERSION, new byte[0]));
    if (!stored.exists()) {
      return missing(object);
    }
    Files.write(file, stored.content());
    return done(format, "get", object, stored);
  }

  @Command(
      name = "delete",
      description = "Delete an object; exit code 1 if there is none.",
      footer = {"%nExamples:", "  ./tidemark cluster object delete photos/cat.jpg"})
  int delete(
      @Parameters(paramLabel = "BUCKET/NAME", description = "Which object.") String object,
      @Mixin Format format) {
    Request request = new Request(Verb.DELETE, key(object), ObjectActor.ANY_VERSION, new byte[0]);
    if (!ask(request).exists()) {
      return missing(object);
    }
    console.done(format, "delete", "object", object);
    return 0;
  }

  private int missing(String object) {
    console.complain("there is no " + object);
    return FAILED;
  }

  @Command(
      name = "list",
      description = "Show the objects of BUCKET with versions and lengths, in order.",
      footer = {
        "%nExamples:",
        "  ./tidemark cluster object list photos",
        "  ./tidemark cluster object list photos --json"
      })
  int list(
      @Parameters(paramLabel = "BUCKET", description = "Which bucket.") String bucket,
      @Mixin Format format) {
    PartitionRange all = ObjectActor.bucket(bucket);
    Request query = new Request(Verb.LIST, all.start(), ObjectActor.ANY_VERSION, new byte[0]);
    try (PartitionClient client = ExampleClient.connect(console)) {
      Optional<Key> next = Optional.of(all.start());
      while (next.isPresent()) {
        ScanPage<Stored> page =
            client.scan(ObjectActor.TYPE, query, new PartitionRange(next.get(), all.end()), PAGE);
        page.items().forEach(item -> show(format, ObjectActor.name(item.key()), item.value()));
        next = page.next();
      }
      return 0;
    }
  }

  private void show(Format format, String name, Stored stored) {
    console
        .out()
        .println(
            format.json()
                ? Json.of(
                    Json.object(
                        "name", name, "version", stored.version(), "bytes", stored.length()))
                : "%s\tversion %d\t%d bytes".formatted(name, stored.version(), stored.length()));
  }

  private Stored ask(Request request) {
    try (PartitionClient client = ExampleClient.connect(console)) {
      return request.verb() == Verb.GET
          ? client.read(ObjectActor.TYPE, request.key(), request)
          : client.send(ObjectActor.TYPE, request.key(), request);
    }
  }
}
