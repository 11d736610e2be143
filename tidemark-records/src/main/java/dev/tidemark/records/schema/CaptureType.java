package dev.tidemark.records.schema;

/**
 * Which values of a changed record a stream records. The primary key is always recorded.
 * <i>Watched</i> are the fields that the stream watches, <i>changed</i> those of them whose values
 * differ.
 */
public enum CaptureType {
  /** Insert: new watched. Update: old and new changed. Delete: old watched. */
  OLD_AND_NEW_VALUES,
  /** Insert: new watched. Update: new changed. Delete: nothing. */
  NEW_VALUES,
  /** Insert and update: new watched. Delete: nothing. */
  NEW_ROW,
  /** Insert: new watched. Update: new watched and old changed. Delete: old watched. */
  NEW_ROW_AND_OLD_VALUES;

  /** Whether an update keeps all watched new values, and not only those that changed. */
  public boolean keepsNewRow() {
    return this == NEW_ROW || this == NEW_ROW_AND_OLD_VALUES;
  }

  /** Whether old values are kept. */
  public boolean keepsOld() {
    return this == OLD_AND_NEW_VALUES || this == NEW_ROW_AND_OLD_VALUES;
  }
}
