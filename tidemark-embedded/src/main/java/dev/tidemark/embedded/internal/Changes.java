package dev.tidemark.embedded.internal;

import java.util.ArrayList;
import java.util.List;

/** What a group of commits writes, until the caches of rows are told. */
final class Changes {
  private final RowCache rows;
  private final ScanCache scans;
  private final List<byte[]> keys = new ArrayList<>();
  private final List<Range> ranges = new ArrayList<>();

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Range(byte[] begin, byte[] end) {}

  Changes(RowCache rows, ScanCache scans) {
    this.rows = rows;
    this.scans = scans;
  }

  void written(byte[] key) {
    keys.add(key);
  }

  void cleared(byte[] begin, byte[] end) {
    ranges.add(new Range(begin, end));
  }

  /** Tells the caches that all this is other from {@code version} on, which nobody can read yet. */
  void tell(long version) {
    scans.writing(version);
    for (byte[] key : keys) {
      rows.written(key, version);
      scans.written(key, version);
    }
    for (Range range : ranges) {
      rows.cleared(range.begin(), range.end(), version);
      scans.cleared(range.begin(), range.end(), version);
    }
    keys.clear();
    ranges.clear();
  }
}
