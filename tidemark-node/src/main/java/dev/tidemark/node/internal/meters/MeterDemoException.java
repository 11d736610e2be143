package dev.tidemark.node.internal.meters;

import dev.tidemark.kv.TidemarkException;

/** A reason why the demo cannot run that the message explains to whoever typed the command. */
public final class MeterDemoException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  MeterDemoException(String message) {
    super(message);
  }

  MeterDemoException(String message, Throwable cause) {
    super(message, cause);
  }
}
