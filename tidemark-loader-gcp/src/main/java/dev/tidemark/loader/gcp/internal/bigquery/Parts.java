package dev.tidemark.loader.gcp.internal.bigquery;

import java.util.ArrayList;
import java.util.List;

/** Divides the rows of a batch into those of jobs. */
public final class Parts {
  private Parts() {}

  /**
   * The least number of parts of about the same size, each within both limits. A row that is larger
   * than the limit is alone.
   */
  public static List<List<RowParameter>> of(List<RowParameter> rows, int rowsMax, int bytesMax) {
    long bytes = rows.stream().mapToLong(RowParameter::bytes).sum();
    int wanted =
        (int) Math.max(Math.ceilDiv(rows.size(), rowsMax), Math.ceilDiv(bytes, (long) bytesMax));
    long share = wanted == 0 ? 0 : Math.ceilDiv(bytes, (long) wanted);
    List<List<RowParameter>> parts = new ArrayList<>();
    int begin = 0;
    long sum = 0;
    for (int i = 0; i < rows.size(); i++) {
      int size = rows.get(i).bytes();
      boolean full = sum + size > bytesMax || i - begin == rowsMax || sum >= share;
      if (i > begin && full) {
        parts.add(rows.subList(begin, i));
        begin = i;
        sum = 0;
      }
      sum += size;
    }
    if (begin < rows.size()) {
      parts.add(rows.subList(begin, rows.size()));
    }
    return parts;
  }
}
