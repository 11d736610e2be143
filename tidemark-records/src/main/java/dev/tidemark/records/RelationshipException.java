package dev.tidemark.records;

/** A delete that a relationship forbids. */
public final class RelationshipException extends RecordException {
  /** With who refers to what. */
  public RelationshipException(String message) {
    super(message, null);
  }
}
