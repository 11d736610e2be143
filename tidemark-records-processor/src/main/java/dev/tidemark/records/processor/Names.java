package dev.tidemark.records.processor;

import dev.tidemark.records.internal.format.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;

/** Names in generated code. */
final class Names {
  /** What methods of codecs call their own variables. */
  private static final Set<String> TAKEN =
      Set.of(
          "record",
          "in",
          "out",
          "number",
          "value",
          "key",
          "part",
          "outer",
          "end",
          "i",
          "entry",
          "now",
          "database",
          "change",
          "path",
          "space",
          "options");

  private Names() {}

  /** {@code createdAt} as {@code CREATED_AT}. */
  static String constant(String name) {
    return Spelling.snake(name).toUpperCase(Locale.ROOT);
  }

  /** The constant of a codec with the default of a component. */
  static String defaultOf(Component component) {
    return constant(component.name()) + "_DEFAULT";
  }

  /** {@code OrderLine} as {@code orderLine}, the name of a method. */
  static String method(String name) {
    String small = name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    return SourceVersion.isKeyword(small) ? small + "_" : small;
  }

  /** A local variable or parameter called {@code name}, or nearly so. */
  static String local(String name) {
    return TAKEN.contains(name) ? name + "_" : name;
  }

  /** {@code type} and the classes that it is declared in, outermost first. */
  static List<TypeElement> nesting(TypeElement type) {
    List<TypeElement> all = new ArrayList<>();
    Element each = type;
    while (each instanceof TypeElement next) {
      all.addFirst(next);
      each = next.getEnclosingElement();
    }
    return all;
  }

  /** The record that a component of this shape holds, alone or in a collection. */
  static Optional<RecordModel> nested(Shape shape) {
    return switch (shape) {
      case Shape.Inner inner -> Optional.of(inner.model());
      case Shape.Many many -> nested(many.element());
      case Shape.Mapping map -> nested(map.value());
      case Shape.Single single -> Optional.empty();
      case Shape.OneOf constant -> Optional.empty();
    };
  }
}
