package dev.tidemark.node.internal.command.load;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.loader.InstantData;
import dev.tidemark.loader.Mapping;
import dev.tidemark.loader.StreamSource;
import dev.tidemark.loader.TimeBudget;
import dev.tidemark.node.internal.console.Misuse;
import dev.tidemark.node.internal.stores.DirectoryPath;
import dev.tidemark.node.internal.stores.KnownNames;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.pulse.PulseNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How a stream is read, and what becomes of its events. */
final class StreamLoadOptions {
  @Option(
      names = "--column",
      paramLabel = "NAME:TYPE[:ROLE][=PATH]",
      description =
          "A column from the JSON that is the payload; can be repeated. TYPE is text, integer, double, decimal, boolean, timestamp, date or bytes, ROLE is key, required or optional (default), PATH is where the value is, with points (default NAME).")
  private List<String> columns = List.of();

  @Option(
      names = "--instant-data",
      description = "Measurements of power: point_id, power and timestamp, as texts in the JSON.")
  private boolean instantData;

  @Option(names = "--table", paramLabel = "NAME", description = "Default: the stream's name.")
  private Optional<String> table = Optional.empty();

  @Option(
      names = "--sink",
      paramLabel = "NAME",
      defaultValue = "warehouse",
      description = "The sink that remembers what is loaded. Default: warehouse.")
  private String sink = "warehouse";

  @Option(
      names = "--pulse",
      paramLabel = "PATH",
      defaultValue = "pulse",
      description = "The directory of the streams. Default: pulse.")
  private String pulse = "pulse";

  @Option(
      names = "--keep-all",
      description = "From now on the stream keeps all events, so that none is lost.")
  private boolean keepAll;

  @Option(
      names = "--accept-loss",
      description = "Events may be dropped that are not loaded soon enough.")
  private boolean acceptLoss;

  @Option(names = "--follow", description = "Go on until stopped, as events come.")
  private boolean follow;

  @Option(
      names = "--budget",
      paramLabel = "SECONDS",
      description = "End after this time at the latest, and give back what is left.")
  private Optional<Integer> budget = Optional.empty();

  /** Refuses what is wrong whatever the store holds, before it is opened. */
  void check(String stream) {
    if (instantData == !columns.isEmpty()) {
      throw new Misuse("a load takes either --column, once for each column, or --instant-data");
    }
    if (keepAll && acceptLoss) {
      throw new Misuse("a load takes either --keep-all or --accept-loss, not both");
    }
    if (!keepAll && !acceptLoss) {
      throw new Misuse(
          "a stream may drop events before they are loaded: say --keep-all, and it keeps all from now on, or --accept-loss");
    }
    if (follow && budget.isPresent()) {
      throw new Misuse("--follow has no end, so it takes no --budget");
    }
    Optional<TimeBudget> unused = budget();
    Mapping unusedMapping = mapping(stream);
  }

  /** The time that a run may take, if it has an end. */
  Optional<TimeBudget> budget() {
    try {
      return budget.map(seconds -> TimeBudget.of(Duration.ofSeconds(seconds)));
    } catch (IllegalArgumentException wrong) {
      throw new Misuse(String.valueOf(wrong.getMessage()), wrong);
    }
  }

  /** Whether the run ends only when it is stopped. */
  boolean follow() {
    return follow;
  }

  /** What becomes of an event. */
  Mapping mapping(String stream) {
    String name = table.orElseGet(() -> stream.replaceAll("[^A-Za-z0-9_]", "_"));
    try {
      return instantData
          ? InstantData.mapping(table.orElse(InstantData.TABLE))
          : ColumnText.mapping(name, columns);
    } catch (IllegalArgumentException wrong) {
      throw new Misuse(String.valueOf(wrong.getMessage()), wrong);
    }
  }

  /**
   * The streams of {@code database}, whose directory must be there, and {@code stream} among them
   * unless the load waits for events.
   */
  Pulse pulse(Database database, String stream) {
    Subspace space =
        DirectoryLayer.DEFAULT.open(database, LayerId.NONE, DirectoryPath.names(pulse)).subspace();
    if (!follow) {
      KnownNames.require("stream", stream, PulseNames.in(database, space).streams());
    }
    return Pulse.on(database, space);
  }

  /** The events of {@code name}. */
  StreamSource source(Pulse streams, String name) {
    EventStream stream = streams.stream(name, o -> keepAll ? o.keepingAll() : o);
    return StreamSource.open(
        stream,
        sink,
        o -> {
          StreamSource.Options chosen = acceptLoss ? o.acceptingLoss() : o;
          return instantData ? chosen.withAttributes(StreamSource.jsonAttributes()) : chosen;
        });
  }
}
