package dev.tidemark.records.processor;

import dev.tidemark.records.SchemaException;
import dev.tidemark.records.annotation.RecordSchema;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.TypeElement;

/** Reads schemas of several types. */
final class SchemaReader {
  private final TypeReader types;
  private final Problems problems;

  SchemaReader(TypeReader types, Problems problems) {
    this.types = types;
    this.problems = problems;
  }

  /** The types of the schema {@code element}, or empty if there are mistakes. */
  Optional<List<TypeModel>> read(TypeElement element, int version) {
    AnnotationMirror at = Annotations.find(element, RecordSchema.class).orElseThrow();
    int before = problems.count();
    List<TypeModel> members = new ArrayList<>();
    for (TypeElement member : Annotations.classes(at, "value")) {
      problems.collect(() -> types.read(member).ifPresent(members::add));
    }
    if (problems.count() > before) {
      return Optional.empty();
    }
    List<TypeSpec> specs = members.stream().map(TypeModel::spec).toList();
    List<IndexSpec> indexes = members.stream().flatMap(type -> type.indexes().stream()).toList();
    try {
      Bridge.check(version, specs, indexes);
    } catch (SchemaException wrong) {
      throw new Mistake(element, at, String.valueOf(wrong.getMessage()));
    }
    checkAccessors(element, at, members);
    return Optional.of(members);
  }

  private static void checkAccessors(
      TypeElement element, AnnotationMirror at, List<TypeModel> members) {
    Set<String> names = new HashSet<>(Set.of("space"));
    for (TypeModel member : members) {
      String name = Names.method(member.record().simpleName());
      if (!names.add(name)) {
        throw new Mistake(
            element,
            at,
            "%sStore would have two methods called %s(), one for %s. Rename the record"
                .formatted(element.getSimpleName(), name, member.element().getQualifiedName()));
      }
    }
  }
}
