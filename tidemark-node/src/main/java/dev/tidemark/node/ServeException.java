package dev.tidemark.node;

/** A reason not to serve that the message explains to whoever typed the command. */
final class ServeException extends RuntimeException {
  ServeException(String message) {
    super(message);
  }
}
