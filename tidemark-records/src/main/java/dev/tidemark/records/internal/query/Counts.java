package dev.tidemark.records.internal.query;

/** What one node of a plan has done so far. Used by one thread. */
final class Counts {
  private long rows;
  private long keys;
  private long loads;

  /** Notes a row that the node gave. */
  void giveRow() {
    rows++;
  }

  /** Notes a key that the node read in passing. */
  void readKey() {
    keys++;
  }

  /** Notes records that the node loaded by their keys. */
  void load(int records) {
    loads += records;
  }

  long rows() {
    return rows;
  }

  /** Keys of entries and of records that were read. */
  long keys() {
    return keys + loads;
  }

  /** How many of them were records loaded by their keys. */
  long loads() {
    return loads;
  }
}
