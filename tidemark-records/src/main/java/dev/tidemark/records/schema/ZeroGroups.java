package dev.tidemark.records.schema;

/** What happens to the group of an aggregate that reaches zero. */
public enum ZeroGroups {
  /** Counts are removed; sums stay, because zero may be a real total. */
  BY_KIND,
  /** The group is removed and no longer listed. */
  REMOVE,
  /** The group stays and is listed with zero. */
  KEEP
}
