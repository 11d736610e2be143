package dev.tidemark.records.processor;

import dev.tidemark.records.schema.FieldType.Scalar;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/** Determines the storable type of a component. */
final class ShapeReader {
  private static final Map<String, Scalar> SCALARS =
      Map.ofEntries(
          Map.entry("java.lang.Boolean", Scalar.BOOLEAN),
          Map.entry("java.lang.Byte", Scalar.BYTE),
          Map.entry("java.lang.Short", Scalar.SHORT),
          Map.entry("java.lang.Integer", Scalar.INT),
          Map.entry("java.lang.Long", Scalar.LONG),
          Map.entry("java.lang.Character", Scalar.CHAR),
          Map.entry("java.lang.Float", Scalar.FLOAT),
          Map.entry("java.lang.Double", Scalar.DOUBLE),
          Map.entry("java.lang.String", Scalar.STRING),
          Map.entry("java.util.UUID", Scalar.UUID),
          Map.entry("java.math.BigInteger", Scalar.BIG_INTEGER),
          Map.entry("java.math.BigDecimal", Scalar.DECIMAL),
          Map.entry("java.time.Instant", Scalar.INSTANT),
          Map.entry("java.time.LocalDate", Scalar.DATE),
          Map.entry("java.time.LocalDateTime", Scalar.DATE_TIME),
          Map.entry("java.time.Duration", Scalar.DURATION));

  /** Replacements for types that cannot be stored. */
  private static final Map<String, String> INSTEAD =
      Map.ofEntries(
          Map.entry("java.lang.Object", "a type that says what it holds"),
          Map.entry("java.util.Collection", "List or Set"),
          Map.entry("java.util.ArrayList", "List"),
          Map.entry("java.util.SortedSet", "Set"),
          Map.entry("java.util.SortedMap", "Map"),
          Map.entry("java.util.OptionalInt", "Optional<Integer>"),
          Map.entry("java.util.OptionalLong", "Optional<Long>"),
          Map.entry("java.util.OptionalDouble", "Optional<Double>"),
          Map.entry("java.util.Date", "Instant"),
          Map.entry("java.time.ZonedDateTime", "Instant, and a String for the zone"),
          Map.entry("java.time.OffsetDateTime", "Instant, and an int for the offset"),
          Map.entry("java.time.LocalTime", "Duration since midnight"));

  private final ModelReader records;

  ShapeReader(ModelReader records) {
    this.records = records;
  }

  /** The type inside {@code type}, if that is an {@code Optional}. */
  static Optional<TypeMirror> optionalOf(TypeMirror type) {
    return type instanceof DeclaredType declared
            && nameOf(declared).equals("java.util.Optional")
            && declared.getTypeArguments().size() == 1
        ? Optional.of(declared.getTypeArguments().getFirst())
        : Optional.empty();
  }

  /**
   * The shape of {@code type}.
   *
   * @param at the element at which mistakes are reported
   * @param around the records that this type is nested in, outermost first
   */
  Shape read(Element at, TypeMirror type, List<TypeElement> around) {
    return switch (type.getKind()) {
      case BOOLEAN -> new Shape.Single(Scalar.BOOLEAN, true);
      case BYTE -> new Shape.Single(Scalar.BYTE, true);
      case SHORT -> new Shape.Single(Scalar.SHORT, true);
      case INT -> new Shape.Single(Scalar.INT, true);
      case LONG -> new Shape.Single(Scalar.LONG, true);
      case CHAR -> new Shape.Single(Scalar.CHAR, true);
      case FLOAT -> new Shape.Single(Scalar.FLOAT, true);
      case DOUBLE -> new Shape.Single(Scalar.DOUBLE, true);
      case ARRAY -> array(at, (ArrayType) type);
      case DECLARED -> declared(at, (DeclaredType) type, around);
      case ERROR -> throw new NotYetException(type.toString());
      default -> throw unsupported(at, type.toString(), "a type that says what it holds");
    };
  }

  private static Shape array(Element at, ArrayType type) {
    if (type.getComponentType().getKind() == TypeKind.BYTE) {
      return new Shape.Single(Scalar.BYTES, false);
    }
    throw unsupported(at, "an array", "List (of arrays, only byte[] is stored)");
  }

  private Shape declared(Element at, DeclaredType type, List<TypeElement> around) {
    TypeElement element = (TypeElement) type.asElement();
    String name = nameOf(type);
    Scalar scalar = SCALARS.get(name);
    if (scalar != null) {
      return new Shape.Single(scalar, false);
    }
    if (element.getKind() == ElementKind.ENUM) {
      records.checkAccess(at, element, around.getFirst());
      return new Shape.OneOf(element);
    }
    if (element.getKind() == ElementKind.RECORD) {
      records.checkAccess(at, element, around.getFirst());
      return new Shape.Inner(records.nested(at, element, around));
    }
    return switch (name) {
      case "java.util.List" -> new Shape.Many(element(at, type, 0, around), false);
      case "java.util.Set" -> new Shape.Many(setElement(at, type, around), true);
      case "java.util.Map" ->
          new Shape.Mapping(element(at, type, 0, around), element(at, type, 1, around));
      case "java.util.Optional" ->
          throw unsupported(at, "an Optional within another type", "a component of its own");
      default ->
          throw unsupported(
              at, name, INSTEAD.getOrDefault(name, "a record with the fields that matter"));
    };
  }

  private Shape setElement(Element at, DeclaredType type, List<TypeElement> around) {
    Shape element = element(at, type, 0, around);
    if (element instanceof Shape.Single single && single.scalar() == Scalar.BYTES) {
      throw unsupported(at, "a set of byte[] (two of them are never equal)", "List<byte[]>");
    }
    return element;
  }

  private Shape element(Element at, DeclaredType type, int place, List<TypeElement> around) {
    if (type.getTypeArguments().isEmpty()) {
      throw unsupported(at, type + " without the type of its elements", type + "<String>, say");
    }
    TypeMirror argument = type.getTypeArguments().get(place);
    if (argument.getKind() == TypeKind.WILDCARD || argument.getKind() == TypeKind.TYPEVAR) {
      throw unsupported(at, "a collection of " + argument, "one concrete type");
    }
    Shape shape = read(at, argument, around);
    if (shape.isCollection()) {
      throw new Mistake(
          at,
          "The component '%s' is a collection of collections, which is not stored. Put the inner one into a nested record"
              .formatted(at.getSimpleName()));
    }
    return shape;
  }

  private static String nameOf(DeclaredType type) {
    return ((TypeElement) type.asElement()).getQualifiedName().toString();
  }

  private static Mistake unsupported(Element at, String what, String instead) {
    return new Mistake(
        at,
        "The component '%s' is %s, which is not stored. Use %s, or mark it @Transient"
            .formatted(at.getSimpleName(), what, instead));
  }
}
