package dev.tidemark.testkit.spanner;

import com.google.protobuf.ByteString;
import com.google.spanner.v1.PartialResultSet;
import java.util.ArrayList;
import java.util.List;

/**
 * The records of a whole answer, made before it is asked for: for measurements, where making them
 * would take longer than reading them.
 */
public final class PreparedRows {
  private static final int ROWS_AT_ONCE = 50;

  private final List<PartialResultSet> parts = new ArrayList<>();
  private final boolean postgreSql;

  private PreparedRows(boolean postgreSql) {
    this.postgreSql = postgreSql;
  }

  /** Records for a database of GoogleSQL, each as {@link SpannerScript.Rows#record} takes it. */
  public static PreparedRows googleSql(List<String> records) {
    PreparedRows rows = new PreparedRows(false);
    for (int from = 0; from < records.size(); from += ROWS_AT_ONCE) {
      int to = Math.min(records.size(), from + ROWS_AT_ONCE);
      PartialResultSet.Builder part =
          PartialResultSet.newBuilder()
              .setResumeToken(ByteString.copyFromUtf8(Integer.toString(to)));
      records.subList(from, to).forEach(each -> part.addValues(SpannerRows.row(each, false)));
      if (from == 0) {
        part.setMetadata(SpannerRows.GOOGLE_SQL);
      }
      rows.parts.add(part.build());
    }
    return rows;
  }

  List<PartialResultSet> parts(boolean wanted) {
    if (wanted != postgreSql) {
      throw new IllegalArgumentException("The rows were made for the other dialect");
    }
    return parts;
  }
}
