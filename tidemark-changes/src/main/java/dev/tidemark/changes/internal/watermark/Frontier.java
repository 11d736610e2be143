package dev.tidemark.changes.internal.watermark;

import dev.tidemark.changes.Position;
import java.util.Comparator;

/**
 * Up to where something is complete: all positions before {@code position}, and the position itself
 * if {@code inclusive}. Sources have no next position, so this says what "plus one" would.
 *
 * @param position the bound
 * @param inclusive whether the bound itself is complete
 */
public record Frontier(Position position, boolean inclusive) {
  /** Everything before {@code position} is complete. */
  public static Frontier before(Position position) {
    return new Frontier(position, false);
  }

  /** Everything at or before {@code position} is complete. */
  public static Frontier through(Position position) {
    return new Frontier(position, true);
  }

  /** Orders frontiers by how much is complete. */
  public static Comparator<Frontier> by(Comparator<Position> order) {
    return (first, second) -> {
      int byPosition = order.compare(first.position, second.position);
      return byPosition != 0 ? byPosition : Boolean.compare(first.inclusive, second.inclusive);
    };
  }

  /** Whether {@code other} lies within what is complete. */
  public boolean covers(Position other, Comparator<Position> order) {
    int compared = order.compare(other, position);
    return compared < 0 || (compared == 0 && inclusive);
  }
}
