package dev.tidemark.records;

import dev.tidemark.records.maintenance.IndexState;

/** Signals an index whose state does not allow the operation. */
public final class IndexStateException extends RecordException {
  private final String index;
  private final IndexState state;

  /** Creates it for {@code index}, which is in {@code state}. */
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
