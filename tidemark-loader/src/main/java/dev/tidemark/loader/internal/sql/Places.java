package dev.tidemark.loader.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where this process believes the positions of its sources to be. A position moves on only from
 * there: a process that has lost its source to another, and does not know it yet, cannot move the
 * position back and bring rows again that the other one has deleted.
 *
 * <p>A source whose position was never asked for is not followed. After a commit whose outcome is
 * unknown there are two places, either of which may be the true one.
 */
final class Places {
  private final Map<String, Set<Optional<String>>> known = new ConcurrentHashMap<>();

  /** The warehouse has said where {@code source} is. */
  void asked(String source, Optional<String> place) {
    known.put(source, Set.of(place));
  }

  /** A batch up to {@code place} is stored. */
  void moved(String source, String place) {
    known.computeIfPresent(source, (name, before) -> Set.of(Optional.of(place)));
  }

  /** A batch up to {@code place} may be stored. */
  void mayHaveMoved(String source, String place) {
    known.computeIfPresent(
        source,
        (name, before) -> {
          Set<Optional<String>> both = new HashSet<>(before);
          both.add(Optional.of(place));
          return Set.copyOf(both);
        });
  }

  /** Moves the position in the transaction under way; false if another process has moved it. */
  boolean move(Connection connection, String source, String to) throws SQLException {
    Set<Optional<String>> from = known.get(source);
    if (from == null) {
      Bookkeeping.moveTo(connection, source, to);
      return true;
    }
    for (Optional<String> place : from) {
      if (Bookkeeping.move(connection, source, place, to)) {
        return true;
      }
    }
    return false;
  }
}
