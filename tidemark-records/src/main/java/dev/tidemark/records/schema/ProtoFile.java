package dev.tidemark.records.schema;

import dev.tidemark.records.internal.format.Spelling;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * Writes a schema as a .proto file, for programs in other languages that read and write the same
 * records.
 *
 * <p>A type that protobuf lacks has a comment that describes its bytes.
 */
public final class ProtoFile {
  private final StringBuilder text = new StringBuilder();
  private final TreeSet<FieldType.Scalar> shared = new TreeSet<>();
  private int depth;

  private ProtoFile() {}

  /** The file with a message for each type of {@code schema}. */
  public static String of(Schema schema) {
    return of(schema.types().stream().<TypeSpec>map(RecordType::spec).toList());
  }

  /** The file with a message for each of {@code types}. */
  public static String of(List<TypeSpec> types) {
    ProtoFile file = new ProtoFile();
    for (TypeSpec type : types) {
      file.message(type.name(), type.fields(), type.reserved());
    }
    file.shared.forEach(file::sharedMessage);
    String imports =
        file.text.indexOf("google.protobuf.Timestamp") < 0
            ? ""
            : "\nimport \"google/protobuf/timestamp.proto\";\n";
    return "syntax = \"proto3\";\n" + imports + file.text;
  }

  private void message(String name, List<FieldSpec> fields, List<Integer> reserved) {
    if (depth == 0) {
      text.append('\n');
    }
    open("message " + identifier(name));
    if (!reserved.isEmpty()) {
      line(
          "reserved %s;"
              .formatted(String.join(", ", reserved.stream().map(String::valueOf).toList())));
    }
    Map<FieldType, String> names = declare(fields);
    for (FieldSpec field : fields) {
      field(field, names);
    }
    close();
  }

  /** Writes the messages and enums that {@code fields} need and returns their names. */
  private Map<FieldType, String> declare(List<FieldSpec> fields) {
    Map<FieldType, String> names = new LinkedHashMap<>();
    Map<String, Integer> uses = new HashMap<>();
    for (FieldSpec field : fields) {
      for (FieldType type : parts(field.type())) {
        if (type instanceof FieldType.Nested nested && !names.containsKey(type)) {
          names.put(type, unused(uses, nested.name()));
          message(names.get(type), nested.fields(), nested.reserved());
        } else if (type instanceof FieldType.Constants constants && !names.containsKey(type)) {
          names.put(type, unused(uses, constants.name()));
          constants(names.get(type), constants.constants());
        }
      }
      if (field.type() instanceof FieldType.MapOf map && !isMapKey(map.key())) {
        String name = unused(uses, Spelling.capitalized(field.name()) + "Entry");
        names.put(map, name);
        open("message " + name);
        line("optional %s key = 1;%s".formatted(name(map.key(), names), remark(map.key())));
        line("optional %s value = 2;%s".formatted(name(map.value(), names), remark(map.value())));
        close();
      }
    }
    return names;
  }

  private static List<FieldType> parts(FieldType type) {
    return switch (type) {
      case FieldType.ListOf list -> List.of(list.element());
      case FieldType.SetOf set -> List.of(set.element());
      case FieldType.MapOf map -> List.of(map.key(), map.value());
      case FieldType.Scalar scalar -> List.of(scalar);
      case FieldType.Constants constants -> List.of(constants);
      case FieldType.Nested nested -> List.of(nested);
    };
  }

  private void constants(String name, List<String> constants) {
    open("enum " + name);
    String prefix = Spelling.snake(name).toUpperCase(Locale.ROOT);
    for (int i = 0; i < constants.size(); i++) {
      line("%s_%s = %d;".formatted(prefix, constants.get(i), i));
    }
    close();
  }

  private void field(FieldSpec field, Map<FieldType, String> names) {
    String rest = "%s = %d;".formatted(identifier(Spelling.snake(field.name())), field.number());
    line(
        switch (field.type()) {
          case FieldType.ListOf list -> repeated(list.element(), rest, names);
          case FieldType.SetOf set -> repeated(set.element(), rest, names);
          case FieldType.MapOf map ->
              names.containsKey(map)
                  ? "repeated %s %s".formatted(names.get(map), rest)
                  : "map<%s, %s> %s%s"
                      .formatted(
                          name(map.key(), names),
                          name(map.value(), names),
                          rest,
                          remark(map.value()));
          case FieldType.Scalar scalar -> optional(scalar, rest, names);
          case FieldType.Constants constants -> optional(constants, rest, names);
          case FieldType.Nested nested -> optional(nested, rest, names);
        });
  }

  private String optional(FieldType type, String rest, Map<FieldType, String> names) {
    return "optional %s %s%s".formatted(name(type, names), rest, remark(type));
  }

  private String repeated(FieldType element, String rest, Map<FieldType, String> names) {
    return "repeated %s %s%s".formatted(name(element, names), rest, remark(element));
  }

  private String name(FieldType type, Map<FieldType, String> names) {
    return type instanceof FieldType.Scalar scalar
        ? scalar(scalar)
        : names.getOrDefault(type, "bytes");
  }

  private String scalar(FieldType.Scalar type) {
    return switch (type) {
      case BOOLEAN -> "bool";
      case BYTE, SHORT, INT -> "sint32";
      case LONG, DATE -> "sint64";
      case CHAR -> "uint32";
      case FLOAT -> "float";
      case DOUBLE -> "double";
      case STRING -> "string";
      case BYTES, UUID, BIG_INTEGER -> "bytes";
      case INSTANT -> "google.protobuf.Timestamp";
      case DECIMAL -> shared(type, "TidemarkDecimal");
      case DATE_TIME -> shared(type, "TidemarkDateTime");
      case DURATION -> shared(type, "TidemarkDuration");
    };
  }

  private String shared(FieldType.Scalar type, String name) {
    shared.add(type);
    return name;
  }

  private void sharedMessage(FieldType.Scalar type) {
    text.append('\n');
    open("message " + scalar(type));
    switch (type) {
      case DECIMAL -> {
        line("bytes unscaled = 1; // two's complement, big-endian");
        line("sint32 scale = 2; // digits behind the point");
      }
      case DATE_TIME -> {
        line("optional sint64 day = 1; // since 1970-01-01");
        line("optional uint64 nanos = 2; // of the day");
      }
      case DURATION -> {
        line("int64 seconds = 1;");
        line("uint32 nanos = 2; // to be added, also when seconds are negative");
      }
      default -> throw new AssertionError(type);
    }
    close();
  }

  private static String remark(FieldType type) {
    return type instanceof FieldType.Scalar scalar
        ? switch (scalar) {
          case BYTE -> " // 8 bits";
          case SHORT -> " // 16 bits";
          case CHAR -> " // a UTF-16 code unit";
          case UUID -> " // a UUID: 16 bytes, big-endian";
          case BIG_INTEGER -> " // a whole number: two's complement, big-endian";
          case DATE -> " // days since 1970-01-01";
          case BOOLEAN, INT, LONG, FLOAT, DOUBLE, STRING, BYTES -> "";
          case INSTANT, DECIMAL, DATE_TIME, DURATION -> "";
        }
        : "";
  }

  /** Whether protobuf allows {@code type} as the key of a map. */
  private static boolean isMapKey(FieldType type) {
    return type instanceof FieldType.Scalar && type != FieldType.Scalar.UUID;
  }

  private static String unused(Map<String, Integer> uses, String name) {
    int use = uses.merge(identifier(name), 1, Integer::sum);
    return use == 1 ? identifier(name) : identifier(name) + use;
  }

  private static String identifier(String name) {
    return name.replaceAll("[^A-Za-z0-9_]", "_");
  }

  private void open(String head) {
    line(head + " {");
    depth++;
  }

  private void close() {
    depth--;
    line("}");
  }

  private void line(String content) {
    text.append("  ".repeat(depth)).append(content).append('\n');
  }
}
