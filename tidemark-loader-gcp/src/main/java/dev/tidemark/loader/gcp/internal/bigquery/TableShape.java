package dev.tidemark.loader.gcp.internal.bigquery;

import com.google.cloud.bigquery.BigQuery;
import com.google.cloud.bigquery.Field;
import com.google.cloud.bigquery.Routine;
import com.google.cloud.bigquery.RoutineArgument;
import com.google.cloud.bigquery.RoutineId;
import com.google.cloud.bigquery.Schema;
import com.google.cloud.bigquery.StandardSQLDataType;
import com.google.cloud.bigquery.StandardSQLField;
import com.google.cloud.bigquery.TableId;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.Table.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table and its procedure as BigQuery has them, compared with the table of a mapping.
 *
 * @param tableExists whether the table is there
 * @param procedureExists whether the procedure is there
 * @param missing columns that the table lacks
 * @param differences what does not fit, a line each, missing columns included
 * @param procedureFits whether the procedure takes what we send
 */
public record TableShape(
    boolean tableExists,
    boolean procedureExists,
    List<Column> missing,
    List<String> differences,
    boolean procedureFits) {
  /** Reads what is there. */
  public static TableShape read(BigQuery bigQuery, String project, String dataset, Table table) {
    com.google.cloud.bigquery.Table found =
        bigQuery.getTable(TableId.of(project, dataset, table.name()));
    Routine procedure =
        bigQuery.getRoutine(RoutineId.of(project, dataset, TableSql.procedure(table)));
    List<Column> missing = new ArrayList<>();
    List<String> differences = new ArrayList<>();
    String place = "%s.%s".formatted(project, dataset);
    if (found == null) {
      differences.add("it does not exist in " + place);
    } else {
      compare(table, found.getDefinition().getSchema(), missing, differences);
    }
    boolean fits = procedure != null && argument(procedure).equals(wanted(table));
    if (procedure == null) {
      differences.add(
          "procedure '%s' does not exist in %s".formatted(TableSql.procedure(table), place));
    } else if (!fits) {
      differences.add(
          "procedure '%s' takes %s, and the mapping has %s"
              .formatted(TableSql.procedure(table), argument(procedure), wanted(table)));
    }
    return new TableShape(found != null, procedure != null, missing, differences, fits);
  }

  /** Whether the table can take the rows as it is. */
  public boolean fits() {
    return differences.isEmpty();
  }

  private static void compare(
      Table table, @Nullable Schema schema, List<Column> missing, List<String> differences) {
    Map<String, Field> extra = new LinkedHashMap<>();
    if (schema != null) {
      schema.getFields().forEach(field -> extra.put(lower(field.getName()), field));
    }
    for (Column column : table.storedColumns()) {
      Field there = extra.remove(lower(column.name()));
      if (there == null) {
        missing.add(column);
        differences.add(
            "column '%s' %s is missing".formatted(column.name(), TableSql.typeOf(column.type())));
      } else {
        compare(column, there, differences);
      }
    }
    extra.forEach(
        (name, field) -> {
          if (field.getMode() == Field.Mode.REQUIRED && field.getDefaultValueExpression() == null) {
            differences.add("column '%s' needs a value, and the mapping has none".formatted(name));
          }
        });
  }

  private static void compare(Column column, Field there, List<String> differences) {
    if (there.getMode() == Field.Mode.REPEATED
        || there.getType().getStandardType() != TableSql.typeOf(column.type())) {
      differences.add(
          "column '%s' is %s%s, and %s in the mapping"
              .formatted(
                  column.name(),
                  there.getMode() == Field.Mode.REPEATED ? "repeated " : "",
                  there.getType().getStandardType(),
                  TableSql.typeOf(column.type())));
    } else if (column.role() == Table.Role.OPTIONAL && there.getMode() == Field.Mode.REQUIRED) {
      differences.add(
          "column '%s' is NOT NULL, and optional in the mapping".formatted(column.name()));
    }
  }

  private static List<String> wanted(Table table) {
    return table.storedColumns().stream()
        .map(column -> column.name() + " " + TableSql.argumentTypeOf(column.type()))
        .toList();
  }

  /** The fields of the struct that the procedure takes; something else if it takes none. */
  private static List<String> argument(Routine procedure) {
    List<RoutineArgument> arguments = procedure.getArguments();
    if (arguments == null || arguments.size() != 1) {
      return List.of((arguments == null ? 0 : arguments.size()) + " arguments");
    }
    StandardSQLDataType type = arguments.getFirst().getDataType();
    StandardSQLDataType element = type == null ? null : type.getArrayElementType();
    if (element == null || element.getStructType() == null) {
      return List.of("no array of structs");
    }
    List<String> fields = new ArrayList<>();
    for (StandardSQLField field : element.getStructType().getFields()) {
      StandardSQLDataType fieldType = field.getDataType();
      fields.add(field.getName() + " " + (fieldType == null ? "nothing" : fieldType.getTypeKind()));
    }
    return fields;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
