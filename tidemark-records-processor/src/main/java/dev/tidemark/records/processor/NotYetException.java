package dev.tidemark.records.processor;

/** A type that is missing and may be written by another processor: to be tried again. */
final class NotYetException extends RuntimeException {
  NotYetException(String type) {
    super("The type " + type + " is not there yet");
  }
}
