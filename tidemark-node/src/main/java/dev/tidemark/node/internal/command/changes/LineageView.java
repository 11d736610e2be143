package dev.tidemark.node.internal.command.changes;

import dev.tidemark.changes.Lineage;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.PartitionRow;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.node.internal.console.Listing;
import dev.tidemark.node.internal.stores.DirectoryPath;
import dev.tidemark.records.changes.ChangeLog;
import dev.tidemark.records.changes.ChangePartition;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which partition was split or merged into which, and how far a run has read each. */
final class LineageView {
  private final Database database;
  private final ChangeLog log;

  LineageView(Database database, ChangeLog log) {
    this.database = database;
    this.log = log;
  }

  /** What the log itself knows. */
  Listing ofLog() {
    Listing listing = new Listing("token", "state", "parents", "children", "start", "ended");
    log.partitions()
        .forEach(
            each ->
                listing.add(
                    each.token(),
                    each.isActive() ? "ACTIVE" : "ENDED",
                    each.parents(),
                    each.children(),
                    each.start(),
                    each.ended()));
    return listing;
  }

  /** The rows of the run, and the partitions of the log that it has not heard of. */
  Listing ofRun(String run, String readers) {
    Lineage lineage = Lineage.of(MetadataStore.in(database, place(readers)), run);
    if (lineage.run().isEmpty()) {
      throw new IllegalArgumentException(
          "There is no run %s in %s; its readers name it by ReaderOptions.forRun"
              .formatted(run, readers));
    }
    Map<String, PartitionRow> known =
        lineage.partitions().stream()
            .filter(row -> !row.token().isEmpty())
            .collect(Collectors.toMap(PartitionRow::token, Function.identity()));
    Listing listing =
        new Listing("token", "state", "parents", "children", "resume", "owner", "epoch");
    for (ChangePartition each : log.partitions()) {
      Optional<PartitionRow> row = Optional.ofNullable(known.get(each.token()));
      listing.add(
          each.token(),
          row.map(found -> found.state().name()).orElse("UNKNOWN"),
          each.parents(),
          each.children(),
          row.map(found -> found.resume().position()),
          row.flatMap(PartitionRow::owner),
          row.map(PartitionRow::epoch).orElse(0L));
    }
    return listing;
  }

  /** The directory with that name, if there is one, else the subspace. */
  private Subspace place(String readers) {
    String[] path = DirectoryPath.names(readers);
    return DirectoryLayer.DEFAULT.exists(database, path)
        ? DirectoryLayer.DEFAULT.open(database, LayerId.NONE, path).subspace()
        : Subspace.of((Object[]) path);
  }
}
