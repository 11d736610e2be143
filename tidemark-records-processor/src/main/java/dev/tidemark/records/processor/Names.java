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

/** The names in generated code. */
final class Names {
  /** The local variables of generated methods. */
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

  /** Methods without parameters that every class has. */
  private static final Set<String> METHODS =
      Set.of(
          "clone", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait");

  private Names() {}

  /** {@code createdAt} as {@code CREATED_AT}. */
  static String constant(String name) {
    return Spelling.snake(name).toUpperCase(Locale.ROOT);
  }

  /** The name of the constant with the default of a component. */
  static String defaultOf(Component component) {
    return constant(component.name()) + "_DEFAULT";
  }

  /** {@code OrderLine} as {@code orderLine}, the name of a method. */
  static String method(String name) {
    String small = name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    return SourceVersion.isKeyword(small) || METHODS.contains(small) ? small + "_" : small;
  }

  /** The name of a local variable or parameter for {@code name}. */
  static String local(String name) {
    return TAKEN.contains(bare(name)) ? name + "_" : name;
  }

  /** {@code name} without underscores at its end, which keeps {@code in_} apart from {@code in}. */
  private static String bare(String name) {
    int end = name.length();
    while (end > 1 && name.charAt(end - 1) == '_') {
      end--;
    }
    return name.substring(0, end);
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

  /** The nested record of a component of this shape, alone or in a collection. */
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
