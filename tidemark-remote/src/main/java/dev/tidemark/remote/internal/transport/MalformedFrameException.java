package dev.tidemark.remote.internal.transport;

/** Bytes that are no frame. The session in which they came is over. */
public final class MalformedFrameException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedFrameException(String message) {
    super(message);
  }
}
