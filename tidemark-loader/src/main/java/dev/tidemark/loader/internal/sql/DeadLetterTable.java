package dev.tidemark.loader.internal.sql;

import dev.tidemark.loader.ColumnType;
import dev.tidemark.loader.DeadLetter;
import dev.tidemark.loader.Message;
import dev.tidemark.loader.Row;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.internal.json.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Dead letters as rows: a message that becomes one twice is there once. */
final class DeadLetterTable {
  static final Table TABLE =
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

  private DeadLetterTable() {}

  /** The rows of {@code letters}; of two letters of one message, the last. */
  static List<Row> rows(List<DeadLetter> letters) {
    Map<List<String>, Row> rows = new LinkedHashMap<>();
    for (DeadLetter letter : letters) {
      rows.put(List.of(letter.source(), plain(letter.message().id())), row(letter));
    }
    return List.copyOf(rows.values());
  }

  private static Row row(DeadLetter letter) {
    Message message = letter.message();
    return Row.of(
        Message.of(plain(message.id()), message.publishedAt(), Map.of(), new byte[0]),
        letter.source(),
        plain(message.id()),
        plain(letter.reason()),
        letter.delivery().toString(),
        (long) message.deliveries(),
        letter.at(),
        JsonText.object(message.attributes()),
        message.body());
  }

  /** Some warehouses refuse a zero character, and dead letters must not be refused. */
  private static String plain(String text) {
    return text.replace("\0", "\\0");
  }
}
