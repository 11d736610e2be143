package dev.tidemark.records.processor;

/**
 * Signals a missing type that another processor may still generate; the element is retried in the
 * next round.
 */
final class NotYetException extends RuntimeException {
  NotYetException(String type) {
    super("The type " + type + " is not there yet");
  }
}
