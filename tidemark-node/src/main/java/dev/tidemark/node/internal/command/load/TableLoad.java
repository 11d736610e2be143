package dev.tidemark.node.internal.command.load;

import dev.tidemark.changes.EndReason;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.RecordChangeSource;
import dev.tidemark.kv.TimeSource;
import dev.tidemark.loader.LoadProgress;
import dev.tidemark.loader.RecordTable;
import dev.tidemark.loader.TableSync;
import dev.tidemark.loader.Warehouse;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.stores.RecordTypes;
import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.schema.TypeSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Brings a table in step with the records of one type. */
final class TableLoad {
  /** What a served store may lag behind while others write to other partitions. */
  private static final Duration HEARTBEAT = Duration.ofMillis(200);

  private static final Duration LOOK = Duration.ofMillis(500);

  @Option(names = "--table", paramLabel = "NAME", description = "Default: the name of the type.")
  private Optional<String> table = Optional.empty();

  @Option(
      names = "--without",
      paramLabel = "FIELD",
      description = "Leave a field out; can be repeated.")
  private List<String> without = List.of();

  @Option(
      names = "--follow",
      description = "Go on until stopped; else end with the last change of now.")
  private boolean follow;

  /** Fills the table; how many changes it stored. */
  @SuppressWarnings("try") // progress is shown while it is open, without being named
  long run(RecordSpace space, String stream, String type, Warehouse warehouse, Console console)
      throws InterruptedException {
    RecordChangeSource source = RecordChangeSource.of(space, stream);
    Optional<Instant> end = follow ? Optional.empty() : Optional.of(source.timeOf(source.now()));
    // The warehouse knows where to go on, so nothing needs to be remembered elsewhere.
    MetadataStore memory = MetadataStore.inMemory(TimeSource.system());
    try (TableSync sync =
            TableSync.start(
                source,
                memory,
                declaration(space, type),
                warehouse,
                o -> end.map(o.withHeartbeat(HEARTBEAT)::withEnd).orElse(o));
        StopAtExit stop = new StopAtExit(sync::close);
        LoadProgress progress =
            LoadProgress.on(
                console.err(),
                console.terminal(),
                () -> "%,d changes stored".formatted(sync.changes()))) {
      Optional<EndReason> ended = sync.await(LOOK);
      while (ended.isEmpty()) {
        ended = sync.await(LOOK);
      }
      if (ended.get() instanceof EndReason.Failed(Throwable cause)) {
        throw new IllegalStateException(String.valueOf(cause.getMessage()), cause);
      }
      return sync.changes();
    }
  }

  private RecordTable declaration(RecordSpace space, String type) {
    TypeSpec spec = RecordTypes.spec(space, type);
    RecordTable declared = RecordTable.of(spec);
    for (String field : without) {
      declared = declared.without(field);
    }
    return table.map(declared::withName).orElse(declared);
  }
}
