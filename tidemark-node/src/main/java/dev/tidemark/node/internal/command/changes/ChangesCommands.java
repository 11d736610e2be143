package dev.tidemark.node.internal.command.changes;

import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Listing;
import dev.tidemark.node.internal.console.Misuse;
import dev.tidemark.node.internal.stores.RecordTypes;
import dev.tidemark.node.internal.stores.SpaceArguments;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangePartition;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.TypeSpec;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows and changes the change streams of record stores. */
@Command(
    name = "changes",
    description = "Show the changes and partitions of a change stream, or change the latter.",
    footer = {
      "%nExamples:",
      "  ./tidemark changes tail /var/lib/shop shop/orders orders",
      "  ./tidemark changes tail tidemark://127.0.0.1:7400 shop/orders orders --from now --json",
      "  ./tidemark changes partitions /var/lib/shop shop/orders orders"
    })
public final class ChangesCommands {
  private static final String STREAM = "The name of the change stream.";

  private final Console console;

  /** Prints to {@code console}. */
  public ChangesCommands(Console console) {
    this.console = console;
  }

  @Command(
      name = "tail",
      description = "Show the changes, in the order of their commits.",
      footer = {
        "%nExamples:",
        "  ./tidemark changes tail /var/lib/shop shop/orders orders --limit 10",
        "  ./tidemark changes tail tidemark://127.0.0.1 shop/orders orders --from now --json"
      })
  int tail(
      @Mixin SpaceArguments records,
      @Parameters(index = "2", paramLabel = "STREAM", description = STREAM) String stream,
      @Mixin TailOptions tail,
      @Mixin Format format)
      throws InterruptedException {
    tail.check();
    try (Database database = records.store().open(console)) {
      RecordSpace space = records.space(database);
      log(space, stream);
      new Tail(
              RecordChangeSource.of(space, stream),
              tail,
              records.store().isServed(),
              format,
              console)
          .run();
      return 0;
    }
  }

  @Command(
      name = "partitions",
      description = "Show the partitions with their ranges.",
      footer = {"%nExamples:", "  ./tidemark changes partitions /var/lib/shop shop/orders orders"})
  int partitions(
      @Mixin SpaceArguments records,
      @Parameters(index = "2", paramLabel = "STREAM", description = STREAM) String stream,
      @Mixin Format format) {
    return records.with(
        console,
        space -> {
          console.show(format, partitions(log(space, stream).partitions()));
          return 0;
        });
  }

  @Command(
      name = "lineage",
      description = "Show which partition was split or merged into which.",
      footer = {
        "%nExamples:",
        "  ./tidemark changes lineage /var/lib/shop shop/orders orders",
        "  ./tidemark changes lineage /var/lib/shop shop/orders orders --run audit --readers readers"
      })
  int lineage(
      @Mixin SpaceArguments records,
      @Parameters(index = "2", paramLabel = "STREAM", description = STREAM) String stream,
      @Option(names = "--run", paramLabel = "NAME", description = "With the state of this run,")
          Optional<String> run,
      @Option(
              names = "--readers",
              paramLabel = "PATH",
              description = "whose rows are in this directory or subspace.")
          Optional<String> readers,
      @Mixin Format format) {
    if (run.isPresent() != readers.isPresent()) {
      throw new Misuse("--run and --readers go together");
    }
    return records.with(
        console,
        space -> {
          LineageView view = new LineageView(space.database(), log(space, stream));
          console.show(
              format,
              run.map(name -> view.ofRun(name, readers.orElseThrow())).orElseGet(view::ofLog));
          return 0;
        });
  }

  @Command(
      name = "split",
      description = "Split a partition at the record of TYPE with the primary key KEY.",
      footer = {
        "%nExamples:",
        "  ./tidemark changes split /var/lib/shop shop/orders orders TOKEN Order 5000"
      })
  int split(
      @Mixin SpaceArguments records,
      @Parameters(index = "2", paramLabel = "STREAM", description = STREAM) String stream,
      @Parameters(index = "3", paramLabel = "TOKEN", description = "The partition.") String token,
      @Parameters(index = "4", paramLabel = "TYPE", description = "Of the record.") String type,
      @Parameters(
              index = "5..*",
              arity = "1..*",
              paramLabel = "KEY",
              description = "The parts of its primary key.")
          List<String> key,
      @Mixin Format format) {
    return records.with(
        console,
        space -> {
          ChangeLog log = log(space, stream);
          console.show(format, partitions(log.split(token, type, key(space, type, key))));
          return 0;
        });
  }

  @Command(
      name = "merge",
      description = "Merge two neighbours.",
      footer = {
        "%nExamples:",
        "  ./tidemark changes merge /var/lib/shop shop/orders orders TOKEN TOKEN"
      })
  int merge(
      @Mixin SpaceArguments records,
      @Parameters(index = "2", paramLabel = "STREAM", description = STREAM) String stream,
      @Parameters(index = "3", paramLabel = "TOKEN", description = "A partition.") String lower,
      @Parameters(index = "4", paramLabel = "TOKEN", description = "Its neighbour.") String upper,
      @Mixin Format format) {
    return records.with(
        console,
        space -> {
          console.show(format, partitions(List.of(log(space, stream).merge(lower, upper))));
          return 0;
        });
  }

  private static ChangeLog log(RecordSpace space, String stream) {
    List<String> names = space.changes().list().stream().map(each -> each.name()).toList();
    if (!names.contains(stream)) {
      throw new IllegalArgumentException(
          names.isEmpty()
              ? "These records have no change stream; declare one with @ChangeStream, or add it with ChangeStreams.add"
              : "There is no change stream %s; there is %s"
                  .formatted(stream, String.join(", ", names)));
    }
    return space.changes().log(stream);
  }

  private static Tuple key(RecordSpace space, String type, List<String> texts) {
    TypeSpec spec = RecordTypes.spec(space, type);
    if (texts.size() > spec.primaryKey().size()) {
      throw new IllegalArgumentException(
          "The primary key of a %s has %d parts; %d were given"
              .formatted(type, spec.primaryKey().size(), texts.size()));
    }
    Object[] values = new Object[texts.size()];
    for (int i = 0; i < values.length; i++) {
      FieldSpec field = spec.field(spec.primaryKey().get(i)).orElseThrow();
      values[i] = field.type().parse(texts.get(i));
    }
    return spec.keyPrefix(values);
  }

  private static Listing partitions(List<ChangePartition> partitions) {
    Listing listing = new Listing("token", "state", "begin", "end", "start", "ended", "children");
    partitions.forEach(
        each ->
            listing.add(
                each.token(),
                each.isActive() ? "ACTIVE" : "ENDED",
                bound(each.begin()),
                bound(each.end()),
                each.start(),
                each.ended(),
                each.children()));
    return listing;
  }

  /** A bound as people write it: the type, then the elements of the key. */
  static Optional<String> bound(Optional<ChangePartition.Bound> bound) {
    return bound.map(each -> each.type() + each.key());
  }
}
