package dev.tidemark.pulse;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.directory.DirectoryLayer;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.pulse.internal.kv.KvNames;
import java.util.List;

/**
 * Which streams, maps and pools a store has: for tools that look at it without its program.
 *
 * @param streams those that have begun, in order
 * @param maps those that have ever been written, in order
 * @param pools those that somebody has joined or given work, in order
 */
public record PulseNames(List<String> streams, List<String> maps, List<String> pools) {
  private static final String DIRECTORY = "pulse";

  /** Defends the lists. */
  public PulseNames {
    streams = List.copyOf(streams);
    maps = List.copyOf(maps);
    pools = List.copyOf(pools);
  }

  /** Those of {@link Pulse#on(Database)}. Writes nothing. */
  public static PulseNames in(Database database) {
    return DirectoryLayer.DEFAULT.exists(database, DIRECTORY)
        ? in(database, DirectoryLayer.DEFAULT.open(database, LayerId.NONE, DIRECTORY).subspace())
        : new PulseNames(List.of(), List.of(), List.of());
  }

  /** Those of {@link Pulse#on(Database, Subspace)}. Writes nothing. */
  public static PulseNames in(Database database, Subspace space) {
    return KvNames.of(database, space);
  }
}
