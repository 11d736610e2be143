package dev.tidemark.records;

/** Signals a schema that contradicts itself, the code that uses it, or what is stored. */
public final class SchemaException extends RecordException {
  /** Creates it with what is wrong and what to do. */
  public SchemaException(String message) {
    super(message, null);
  }

  /** Creates it with what is wrong and what to do, and with the cause. */
  public SchemaException(String message, Throwable cause) {
    super(message, cause);
  }
}
