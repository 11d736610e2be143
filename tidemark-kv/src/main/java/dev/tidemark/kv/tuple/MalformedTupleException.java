package dev.tidemark.kv.tuple;

/** Bytes that are not a packed tuple. */
public final class MalformedTupleException extends IllegalArgumentException {
  private final int offset;

  MalformedTupleException(int offset, String problem) {
    super("Not a tuple: " + problem + " at byte " + offset);
    this.offset = offset;
  }

  /** Where the trouble begins: the index of a byte, counted from the first byte of the tuple. */
  public int offset() {
    return offset;
  }
}
