package dev.tidemark.node.internal.meters;

/** A reason why the demo cannot run that the message explains to whoever typed the command. */
public final class MeterDemoException extends RuntimeException {
  MeterDemoException(String message) {
    super(message);
  }

  MeterDemoException(String message, Throwable cause) {
    super(message, cause);
  }
}
