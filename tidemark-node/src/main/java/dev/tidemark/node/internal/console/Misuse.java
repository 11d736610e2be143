package dev.tidemark.node.internal.console;

/** Arguments that make no sense together, whatever is on the disk. Ends a call with exit code 2. */
public final class Misuse extends RuntimeException {
  /** Says what is wrong with the arguments. */
  public Misuse(String message) {
    super(message);
  }

  /** Says what is wrong with the arguments, and why. */
  public Misuse(String message, Throwable cause) {
    super(message, cause);
  }
}
