package dev.tidemark.records;

import dev.tidemark.records.maintenance.IndexState;

/** An index is not in a state that allows what was asked. */
public final class IndexStateException extends RecordException {
  private final String index;
  private final IndexState state;

  /** About {@code index}, which is in {@code state}. */
  public IndexStateException(String index, IndexState state, String message) {
    super(message, null);
    this.index = index;
    this.state = state;
  }

  /** The name of the index. */
  public String index() {
    return index;
  }

  /** Its state. */
  public IndexState state() {
    return state;
  }
}
