package dev.tidemark.records.processor;

import dev.tidemark.records.schema.FieldType;

/** The names of the Java types of components in a file. */
final class TypeNames {
  private final Source source;

  TypeNames(Source source) {
    this.source = source;
  }

  /** The type of a variable. */
  String type(Shape shape) {
    return shape instanceof Shape.Single single && single.primitive()
        ? primitive(single.scalar())
        : reference(shape);
  }

  /** The type as a type argument. */
  String reference(Shape shape) {
    return switch (shape) {
      case Shape.Single single -> reference(single.scalar());
      case Shape.OneOf constant -> source.name(constant.type());
      case Shape.Inner inner -> source.name(inner.model().element());
      case Shape.Many many ->
          "%s<%s>"
              .formatted(
                  source.name(many.isSet() ? "java.util.Set" : "java.util.List"),
                  reference(many.element()));
      case Shape.Mapping map ->
          "%s<%s, %s>"
              .formatted(
                  source.name("java.util.Map"), reference(map.key()), reference(map.value()));
    };
  }

  private static String primitive(FieldType.Scalar scalar) {
    return switch (scalar) {
      case BOOLEAN -> "boolean";
      case BYTE -> "byte";
      case SHORT -> "short";
      case INT -> "int";
      case LONG -> "long";
      case CHAR -> "char";
      case FLOAT -> "float";
      case DOUBLE -> "double";
      case STRING, BYTES, UUID, BIG_INTEGER, DECIMAL, INSTANT, DATE, DATE_TIME, DURATION ->
          throw new IllegalArgumentException(scalar + " is no primitive type");
    };
  }

  private String reference(FieldType.Scalar scalar) {
    return switch (scalar) {
      case BOOLEAN -> source.name("java.lang.Boolean");
      case BYTE -> source.name("java.lang.Byte");
      case SHORT -> source.name("java.lang.Short");
      case INT -> source.name("java.lang.Integer");
      case LONG -> source.name("java.lang.Long");
      case CHAR -> source.name("java.lang.Character");
      case FLOAT -> source.name("java.lang.Float");
      case DOUBLE -> source.name("java.lang.Double");
      case STRING -> source.name("java.lang.String");
      case BYTES -> "byte[]";
      case UUID -> source.name("java.util.UUID");
      case BIG_INTEGER -> source.name("java.math.BigInteger");
      case DECIMAL -> source.name("java.math.BigDecimal");
      case INSTANT -> source.name("java.time.Instant");
      case DATE -> source.name("java.time.LocalDate");
      case DATE_TIME -> source.name("java.time.LocalDateTime");
      case DURATION -> source.name("java.time.Duration");
    };
  }
}
