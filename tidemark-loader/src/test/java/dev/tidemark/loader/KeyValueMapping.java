package dev.tidemark.loader;

import java.util.List;

/** Attributes {@code key} and {@code value} as a table of two texts; {@code bad} is rejected. */
final class KeyValueMapping implements Mapping {
  static final Table TABLE =
      Table.of(
          "pairs",
          List.of(
              new Table.Column("key", ColumnType.TEXT, Table.Role.KEY),
              new Table.Column("value", ColumnType.TEXT, Table.Role.REQUIRED)));

  @Override
  public Table table() {
    return TABLE;
  }

  @Override
  public Result map(Message message) {
    String key = message.attributes().get("key");
    String value = message.attributes().get("value");
    if (key == null || value == null) {
      return new Result.Rejected("missing key or value");
    }
    return switch (value) {
      case "bad" -> new Result.Rejected("bad value");
      case "none" -> new Result.Ignored();
      case "throw" -> throw new IllegalStateException("the mapping has a defect");
      default -> new Result.Mapped(Row.of(message, key, value));
    };
  }
}
