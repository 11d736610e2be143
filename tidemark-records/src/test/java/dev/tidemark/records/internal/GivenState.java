package dev.tidemark.records.internal;

import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.maintenance.IndexState;

/** Puts an index into a state, without what a real change of states does besides. */
public final class GivenState {
  private GivenState() {}

  /** Makes {@code state} that of {@code index}. */
  public static void set(Space space, String index, IndexState state) {
    space.database().run(tx -> space.change(tx, space.state(tx).header().withState(index, state)));
  }
}
