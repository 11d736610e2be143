package dev.tidemark.loader.gcp.internal.bigquery;

import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.DeadLetter;
import dev.tidemark.loader.Message;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.internal.json.JsonText;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Dead letters as rows. A message of Pub/Sub may have 10 MB and a parameter has 1 MB, so a long
 * body is cut, and the reason says so.
 */
public final class Letters {
  /** Their table. */
  public static final Table TABLE =
      Table.of(
          "tidemark_dead_letters",
          List.of(
              new Table.Column("source", ColumnType.TEXT, Table.Role.KEY),
              new Table.Column("message_id", ColumnType.TEXT, Table.Role.KEY),
              new Table.Column("reason", ColumnType.TEXT, Table.Role.REQUIRED),
              new Table.Column("delivery", ColumnType.TEXT, Table.Role.REQUIRED),
              new Table.Column("deliveries", ColumnType.INTEGER, Table.Role.REQUIRED),
              new Table.Column("found_at", ColumnType.TIMESTAMP, Table.Role.REQUIRED),
              new Table.Column("attributes", ColumnType.TEXT, Table.Role.REQUIRED),
              new Table.Column("body", ColumnType.BYTES, Table.Role.REQUIRED)));

  private static final int BODY_MAX = 300_000;
  private static final int REASON_MAX = 10_000;

  private Letters() {}

  /** The rows of {@code letters}; of two letters of one message, the last. */
  public static List<Row> rows(List<DeadLetter> letters) {
    Map<List<String>, Row> rows = new LinkedHashMap<>();
    for (DeadLetter letter : letters) {
      rows.put(List.of(letter.source(), letter.message().id()), row(letter));
    }
    return List.copyOf(rows.values());
  }

  private static Row row(DeadLetter letter) {
    Message message = letter.message();
    byte[] body = message.body();
    String reason = letter.reason();
    reason = reason.length() > REASON_MAX ? reason.substring(0, REASON_MAX) + "…" : reason;
    if (body.length > BODY_MAX) {
      reason =
          "%s (the body is cut from %,d bytes to %,d)".formatted(reason, body.length, BODY_MAX);
      body = Arrays.copyOf(body, BODY_MAX);
    }
    return Row.of(
        message,
        letter.source(),
        message.id(),
        reason,
        letter.delivery().toString(),
        (long) message.deliveries(),
        letter.at(),
        JsonText.object(message.attributes()),
        body);
  }
}
