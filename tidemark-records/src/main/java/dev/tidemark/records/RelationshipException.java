package dev.tidemark.records;

/** Signals a delete that a relationship forbids. */
public final class RelationshipException extends RecordException {
  /** Creates it with a message that names both records and the field. */
  public RelationshipException(String message) {
    super(message, null);
  }
}
