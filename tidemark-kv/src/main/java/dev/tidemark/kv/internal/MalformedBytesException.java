package dev.tidemark.kv.internal;

/**
 * Says where packed elements are not as they have to be. It has no stack trace: a printer that
 * looks for the tuple in a key meets it for every prefix that it tries.
 */
public final class MalformedBytesException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int offset;
  private final String problem;

  MalformedBytesException(int offset, String problem) {
    super(problem, null, false, false);
    this.offset = offset;
    this.problem = problem;
  }

  /** Where the trouble begins, counted from the first byte that was scanned. */
  public int offset() {
    return offset;
  }

  /** What is wrong there. */
  public String problem() {
    return problem;
  }
}
