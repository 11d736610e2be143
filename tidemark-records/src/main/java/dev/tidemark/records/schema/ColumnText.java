package dev.tidemark.records.schema;

import dev.tidemark.records.SchemaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The parser of columns: {@code city}, {@code address.zip}, {@code tags[]}, {@code labels.keys[]},
 * {@code lines[].price desc}.
 */
final class ColumnText {
  private static final String ALL = "[]";

  private final TypeSpec type;
  private final String text;
  private final List<ColumnSpec.Step> path = new ArrayList<>();

  private ColumnText(TypeSpec type, String text) {
    this.type = type;
    this.text = text;
  }

  static ColumnSpec parse(TypeSpec type, String text) {
    String[] words = text.strip().split("\\s+", -1);
    String direction = words.length == 2 ? words[1].toLowerCase(Locale.ROOT) : "asc";
    if (words.length > 2 || !(direction.equals("asc") || direction.equals("desc"))) {
      throw new SchemaException(
          "The column '%s' of %s is not a name, or a name and 'desc'".formatted(text, type.name()));
    }
    return new ColumnText(type, text.strip()).read(words[0], direction.equals("desc"));
  }

  private ColumnSpec read(String name, boolean descending) {
    String[] names = name.split("\\.", -1);
    FieldType found = null;
    List<FieldSpec> fields = type.fields();
    for (int i = 0; i < names.length; i++) {
      boolean all = names[i].endsWith(ALL);
      FieldSpec field = field(fields, all ? bare(names[i]) : names[i]);
      if (field.type() instanceof FieldType.MapOf map && !all && i + 1 < names.length) {
        found = ofMap(field, map, names[++i]);
      } else {
        found = all ? elements(field) : whole(field);
      }
      boolean last = i + 1 == names.length;
      if (!last && !(found instanceof FieldType.Nested)) {
        throw wrong("'%s' is %s and has no fields".formatted(names[i], found));
      }
      fields = found instanceof FieldType.Nested nested ? nested.fields() : List.of();
    }
    if (found instanceof FieldType.Nested nested) {
      throw wrong(
          "it is a nested record; take one of its fields: %s".formatted(names(nested.fields())));
    }
    return new ColumnSpec(path, descending);
  }

  private FieldSpec field(List<FieldSpec> fields, String name) {
    return fields.stream()
        .filter(field -> field.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> wrong("there is no field '%s'; there are %s".formatted(name, names(fields))));
  }

  private FieldType whole(FieldSpec field) {
    String name = field.name();
    switch (field.type()) {
      case FieldType.ListOf list -> throw wrong("'%s' is a list; write %s[]".formatted(name, name));
      case FieldType.SetOf set -> throw wrong("'%s' is a set; write %s[]".formatted(name, name));
      case FieldType.MapOf map -> throw ofMap(name);
      case FieldType.Scalar scalar -> {}
      case FieldType.Constants constants -> {}
      case FieldType.Nested nested -> {}
    }
    return step(field, ColumnSpec.Part.WHOLE, field.type());
  }

  private FieldType elements(FieldSpec field) {
    return switch (field.type()) {
      case FieldType.ListOf list -> step(field, ColumnSpec.Part.ELEMENTS, list.element());
      case FieldType.SetOf set -> step(field, ColumnSpec.Part.ELEMENTS, set.element());
      case FieldType.MapOf map -> throw ofMap(field.name());
      case FieldType.Scalar scalar -> throw single(field);
      case FieldType.Constants constants -> throw single(field);
      case FieldType.Nested nested -> throw single(field);
    };
  }

  private FieldType ofMap(FieldSpec field, FieldType.MapOf map, String part) {
    return switch (part) {
      case "keys[]" -> step(field, ColumnSpec.Part.KEYS, map.key());
      case "values[]" -> step(field, ColumnSpec.Part.VALUES, map.value());
      default -> throw ofMap(field.name());
    };
  }

  private FieldType step(FieldSpec field, ColumnSpec.Part part, FieldType found) {
    path.add(new ColumnSpec.Step(field.number(), part));
    return found;
  }

  private SchemaException ofMap(String name) {
    return wrong("'%s' is a map; write %s.keys[] or %s.values[]".formatted(name, name, name));
  }

  private SchemaException single(FieldSpec field) {
    return wrong("'%s' is a single value; write it without []".formatted(field.name()));
  }

  private SchemaException wrong(String what) {
    return new SchemaException(
        "The column '%s' of %s is wrong: %s".formatted(text, type.name(), what));
  }

  private static String bare(String name) {
    return name.substring(0, name.length() - ALL.length());
  }

  private static String names(List<FieldSpec> fields) {
    return String.join(", ", fields.stream().map(FieldSpec::name).toList());
  }
}
