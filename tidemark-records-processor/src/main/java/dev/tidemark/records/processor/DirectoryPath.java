package dev.tidemark.records.processor;

import dev.tidemark.records.annotation.Directory;
import dev.tidemark.records.schema.FieldType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.TypeElement;
import org.jspecify.annotations.Nullable;

/**
 * The directory path of a store.
 *
 * @param names its names and placeholders, in order
 * @param partition the number of them, from the front, that form a partition
 */
record DirectoryPath(List<Name> names, int partition) {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{(.*)}");

  /** A part of a path. */
  sealed interface Name {
    /** A fixed name. */
    record Fixed(String text) implements Name {}

    /** A parameter of the generated method whose value becomes a name. */
    record Placeholder(String name, Shape shape) implements Name {}
  }

  List<Name.Placeholder> placeholders() {
    return names.stream()
        .filter(Name.Placeholder.class::isInstance)
        .map(Name.Placeholder.class::cast)
        .toList();
  }

  /** The path in the annotation of {@code element}; without one, the directory {@code name}. */
  static DirectoryPath of(TypeElement element, String name, List<RecordModel> models) {
    Directory directory = element.getAnnotation(Directory.class);
    if (directory == null) {
      return new DirectoryPath(List.of(new Name.Fixed(name)), 0);
    }
    return new Reader(element, models).read(directory);
  }

  private static final class Reader {
    private final TypeElement element;
    private final @Nullable AnnotationMirror at;
    private final List<RecordModel> models;
    private final Set<String> seen = new HashSet<>();

    Reader(TypeElement element, List<RecordModel> models) {
      this.element = element;
      this.at = Annotations.find(element, Directory.class).orElse(null);
      this.models = models;
    }

    DirectoryPath read(Directory directory) {
      List<Name> names = new ArrayList<>();
      for (String text : directory.value()) {
        names.add(name(text));
      }
      if (names.isEmpty()) {
        throw wrong("it has no names");
      }
      if (directory.partition() < 0 || directory.partition() >= names.size()) {
        throw wrong(
            "partition is %d, but the path has %d names and must go on behind a partition"
                .formatted(directory.partition(), names.size()));
      }
      return new DirectoryPath(List.copyOf(names), directory.partition());
    }

    private Name name(String text) {
      Matcher matcher = PLACEHOLDER.matcher(text);
      if (matcher.matches()) {
        return placeholder(matcher.group(1));
      }
      if (text.isEmpty() || text.contains("{") || text.contains("}")) {
        throw wrong("'%s' is neither a name nor a whole {placeholder}".formatted(text));
      }
      return new Name.Fixed(text);
    }

    private Name.Placeholder placeholder(String name) {
      if (!SourceVersion.isName(name) || name.contains(".")) {
        throw wrong("the placeholder {%s} is not a Java name".formatted(name));
      }
      if (!seen.add(name)) {
        throw wrong("the placeholder {%s} stands in it twice".formatted(name));
      }
      Shape found = null;
      for (RecordModel model : models) {
        for (Component component : model.components()) {
          if (component.stored() && component.name().equals(name)) {
            found = checked(component, found);
          } else if (component.name().equalsIgnoreCase(name)) {
            throw wrong(
                "the placeholder {%s} is unknown; %s has a component '%s', is that meant?"
                    .formatted(name, model.simpleName(), component.name()));
          }
        }
      }
      return new Name.Placeholder(
          name, found == null ? new Shape.Single(FieldType.Scalar.STRING, false) : found);
    }

    private Shape checked(Component component, @Nullable Shape before) {
      Shape shape = component.shape();
      if (component.optional() || !isName(shape)) {
        throw wrong(
            "the placeholder {%s} names a component that has no name as text; take a string, a whole number, a UUID, a date or an enum"
                .formatted(component.name()));
      }
      if (before != null && !before.equals(shape)) {
        throw wrong(
            "the placeholder {%s} names components of different types".formatted(component.name()));
      }
      return shape;
    }

    private static boolean isName(Shape shape) {
      return switch (shape) {
        case Shape.Single single ->
            switch (single.scalar()) {
              case BOOLEAN, BYTE, SHORT, INT, LONG, CHAR, STRING, UUID, BIG_INTEGER, DATE -> true;
              case FLOAT, DOUBLE, BYTES, DECIMAL, INSTANT, DATE_TIME, DURATION -> false;
            };
        case Shape.OneOf constant -> true;
        case Shape.Inner inner -> false;
        case Shape.Many many -> false;
        case Shape.Mapping map -> false;
      };
    }

    private Mistake wrong(String what) {
      return new Mistake(
          element, at, "The directory of %s is wrong: %s".formatted(element.getSimpleName(), what));
    }
  }
}
