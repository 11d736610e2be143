package dev.tidemark.records.processor;

import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import java.util.Optional;

/**
 * Java expressions that read and write values in codecs, and that describe their types in schemas.
 */
final class CodecText {
  private final Source source;
  private final CodecNames codecs;

  CodecText(Source source, CodecNames codecs) {
    this.source = source;
    this.codecs = codecs;
  }

  // ---- what a schema says

  /** The stored fields of {@code model}. */
  String fields(RecordModel model) {
    return Source.call(
        source.name("java.util.List") + ".of", model.stored().stream().map(this::field).toList());
  }

  /** The reserved numbers of {@code model}, if there are any. */
  Optional<String> reserved(RecordModel model) {
    return Optional.of(model.reserved())
        .filter(numbers -> !numbers.isEmpty())
        .map(
            numbers ->
                Source.call(
                    source.name("java.util.List") + ".of",
                    numbers.stream().map(String::valueOf).toList()));
  }

  private String field(Component component) {
    String known =
        "new %s(%d, %s, %s, %b"
            .formatted(
                source.ours(FieldSpec.class),
                component.number(),
                JavaText.quoted(component.storedName()),
                fieldType(component.shape()),
                component.nullable());
    return component
        .defaultText()
        .map(
            text ->
                "%s, %s.of(%s))"
                    .formatted(known, source.name("java.util.Optional"), JavaText.quoted(text)))
        .orElse(known + ")");
  }

  private String fieldType(Shape shape) {
    String home = source.ours(FieldType.class);
    return switch (shape) {
      case Shape.Single single -> home + ".Scalar." + single.scalar();
      case Shape.OneOf constant ->
          "new %s.Constants(%s, %s.of(%s))"
              .formatted(
                  home,
                  JavaText.quoted(constant.type().getSimpleName().toString()),
                  source.name("java.util.List"),
                  String.join(", ", constant.constants().stream().map(JavaText::quoted).toList()));
      case Shape.Inner inner -> codecs.name(inner.model()) + ".TYPE";
      case Shape.Many many ->
          "new %s.%s(%s)"
              .formatted(home, many.isSet() ? "SetOf" : "ListOf", fieldType(many.element()));
      case Shape.Mapping map ->
          "new %s.MapOf(%s, %s)".formatted(home, fieldType(map.key()), fieldType(map.value()));
    };
  }

  // ---- writing

  /** Writes {@code value} as the field {@code number}. */
  String write(Shape shape, int number, String value) {
    return switch (shape) {
      case Shape.Single single ->
          "out.%s(%d, %s);".formatted(writer(single.scalar()), number, value);
      case Shape.OneOf constant -> "out.uint(%d, %s.ordinal());".formatted(number, value);
      case Shape.Inner inner ->
          "out.message(%d, %s, %s);".formatted(number, value, codecs.instance(inner.model()));
      case Shape.Many many -> throw new IllegalArgumentException("A list is no single value");
      case Shape.Mapping map -> throw new IllegalArgumentException("A map is no single value");
    };
  }

  private static String writer(FieldType.Scalar scalar) {
    return switch (scalar) {
      case BYTE, SHORT, INT, LONG -> "sint";
      case CHAR -> "uint";
      case BOOLEAN, FLOAT, DOUBLE, STRING, BYTES, UUID -> reader(scalar);
      case BIG_INTEGER, DECIMAL, INSTANT, DATE, DATE_TIME, DURATION -> reader(scalar);
    };
  }

  /** Writes {@code value} as an element of a packed field. */
  static String writePacked(Shape shape, String value) {
    if (!(shape instanceof Shape.Single single)) {
      return "out.varint(%s.ordinal());".formatted(value);
    }
    return switch (single.scalar()) {
      case DATE -> "out.sint(%s.toEpochDay());".formatted(value);
      case CHAR -> "out.varint(%s);".formatted(value);
      default -> "out.%s(%s);".formatted(writer(single.scalar()), value);
    };
  }

  // ---- reading

  /** The expression that reads the next value. */
  String read(Shape shape) {
    return switch (shape) {
      case Shape.Single single ->
          switch (single.scalar()) {
            case BYTE -> "(byte) in.sint()";
            case SHORT -> "(short) in.sint()";
            case CHAR -> "(char) in.varint()";
            default -> "in.%s()".formatted(reader(single.scalar()));
          };
      case Shape.OneOf constant -> "in.constant(%s)".formatted(codecs.constants(constant));
      case Shape.Inner inner -> "in.message(%s)".formatted(codecs.instance(inner.model()));
      case Shape.Many many -> throw new IllegalArgumentException("A list is no single value");
      case Shape.Mapping map -> throw new IllegalArgumentException("A map is no single value");
    };
  }

  private static String reader(FieldType.Scalar scalar) {
    return switch (scalar) {
      case BOOLEAN -> "bool";
      case BYTE, SHORT, LONG -> "sint";
      case INT -> "int32";
      case CHAR -> "varint";
      case FLOAT -> "float32";
      case DOUBLE -> "float64";
      case STRING -> "string";
      case BYTES -> "bytes";
      case UUID -> "uuid";
      case BIG_INTEGER -> "bigInteger";
      case DECIMAL -> "decimal";
      case INSTANT -> "instant";
      case DATE -> "date";
      case DATE_TIME -> "dateTime";
      case DURATION -> "duration";
    };
  }

  /** The expression for a key or value that an entry of a map lacks: the default of protobuf. */
  String absent(Shape shape) {
    return switch (shape) {
      case Shape.Single single ->
          switch (single.scalar()) {
            case BOOLEAN -> "false";
            case BYTE -> "(byte) 0";
            case SHORT -> "(short) 0";
            case INT -> "0";
            case LONG -> "0L";
            case CHAR -> "'\\0'";
            case FLOAT -> "0f";
            case DOUBLE -> "0d";
            case STRING -> "\"\"";
            case BYTES -> "{}";
            case UUID -> "new %s(0, 0)".formatted(source.name("java.util.UUID"));
            case BIG_INTEGER -> source.name("java.math.BigInteger") + ".ZERO";
            case DECIMAL -> source.name("java.math.BigDecimal") + ".ZERO";
            case INSTANT -> source.name("java.time.Instant") + ".EPOCH";
            case DATE -> source.name("java.time.LocalDate") + ".EPOCH";
            case DATE_TIME -> source.name("java.time.LocalDate") + ".EPOCH.atStartOfDay()";
            case DURATION -> source.name("java.time.Duration") + ".ZERO";
          };
      case Shape.OneOf constant -> codecs.constants(constant) + "[0]";
      case Shape.Inner inner ->
          "%s.read(new %s(new byte[0]))"
              .formatted(codecs.instance(inner.model()), source.ours(RecordReader.class));
      case Shape.Many many -> throw new IllegalArgumentException("A list is no single value");
      case Shape.Mapping map -> throw new IllegalArgumentException("A map is no single value");
    };
  }
}
