package dev.tidemark.changes.internal.engine;

import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.ChangeSourceException;
import dev.tidemark.changes.Position;

/**
 * Changes that the source removed before they were read.
 *
 * @param token the partition
 * @param from where reading should have gone on
 * @param earliest the first position that is left
 */
public record Gap(String token, Position from, Position earliest) {
  /**
   * From where to where: times for people, and positions for {@code StartAt}; the latter alone
   * while the source cannot tell times.
   */
  public String span(ChangeSource source) {
    try {
      return "from %s (%s) to %s (%s)"
          .formatted(source.timeOf(from), from, source.timeOf(earliest), earliest);
    } catch (ChangeSourceException unanswered) {
      return "from %s to %s".formatted(from, earliest);
    }
  }
}
