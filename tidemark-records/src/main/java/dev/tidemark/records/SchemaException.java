package dev.tidemark.records;

/** A schema that contradicts itself, the code that uses it, or what is stored. */
public final class SchemaException extends RecordException {
  /** With what is wrong and what to do. */
  public SchemaException(String message) {
    super(message, null);
  }

  /** The same with what was noticed first. */
  public SchemaException(String message, Throwable cause) {
    super(message, cause);
  }
}
