package dev.tidemark.changes.spanner;

import java.util.List;

/** The three tables of the metadata, in both dialects. */
record MetadataTables(String partitions) {
  String runs() {
    return partitions + "_Runs";
  }

  String members() {
    return partitions + "_Members";
  }

  List<String> create(boolean postgres) {
    return List.of(
        table(
            postgres,
            partitions,
            "Run T!, Generation I!, PartitionToken T!, ParentTokens A!, StartTimestamp S, EndTimestamp S,"
                + " HeartbeatMillis I, State T!, Watermark S, CreatedAt S!, ScheduledAt S, RunningAt S,"
                + " FinishedAt S, StartPosition B!, ResumePosition B!, BoundaryIds A!, Owner T, Epoch I!",
            "Run, Generation, PartitionToken"),
        table(
            postgres,
            runs(),
            "Run T!, Generation I!, Source T!, StartPosition B!, StartExclusive O!, EndPosition B, CreatedAt S!",
            "Run"),
        table(postgres, members(), "Run T!, Member T!, LeaseEnd S!", "Run, Member"));
  }

  List<String> drop(boolean postgres) {
    return List.of(partitions, runs(), members()).stream()
        .map(name -> "DROP TABLE IF EXISTS " + quoted(postgres, name))
        .toList();
  }

  private static String table(boolean postgres, String name, String columns, String key) {
    StringBuilder sql =
        new StringBuilder("CREATE TABLE IF NOT EXISTS ").append(quoted(postgres, name));
    sql.append(" (");
    for (String column : columns.split(", *", -1)) {
      String[] parts = column.split(" ", 2);
      sql.append(quoted(postgres, parts[0])).append(' ').append(type(postgres, parts[1].charAt(0)));
      sql.append(parts[1].endsWith("!") ? " NOT NULL, " : ", ");
    }
    String keys =
        String.join(
            ", ",
            List.of(key.split(", ", -1)).stream().map(each -> quoted(postgres, each)).toList());
    return postgres
        ? sql.append("PRIMARY KEY (").append(keys).append("))").toString()
        : sql.substring(0, sql.length() - 2) + ") PRIMARY KEY (" + keys + ")";
  }

  private static String type(boolean postgres, char code) {
    return switch (code) {
      case 'T' -> postgres ? "varchar" : "STRING(MAX)";
      case 'A' -> postgres ? "varchar[]" : "ARRAY<STRING(MAX)>";
      case 'I' -> postgres ? "bigint" : "INT64";
      case 'S' -> postgres ? "timestamptz" : "TIMESTAMP";
      case 'B' -> postgres ? "bytea" : "BYTES(MAX)";
      case 'O' -> postgres ? "boolean" : "BOOL";
      default -> throw new IllegalArgumentException("No type has the code " + code);
    };
  }

  private static String quoted(boolean postgres, String name) {
    return postgres ? '"' + name + '"' : '`' + name + '`';
  }
}
