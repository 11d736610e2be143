package dev.tidemark.node.internal.command.serve;

/** A reason not to serve that the message explains to whoever typed the command. */
final class ServeException extends RuntimeException {
  ServeException(String message) {
    super(message);
  }
}
