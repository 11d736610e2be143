package dev.tidemark.records.processor;

import dev.tidemark.records.SchemaException;
import dev.tidemark.records.annotation.Index;
import dev.tidemark.records.annotation.PrimaryKey;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.annotation.Relationship;
import dev.tidemark.records.annotation.Ttl;
import dev.tidemark.records.annotation.Unique;
import dev.tidemark.records.internal.Bridge;
import dev.tidemark.records.internal.format.Spelling;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.FormerIndex;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.TypeSpec;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import org.jspecify.annotations.Nullable;

/** Reads record types, and checks them by the rules for schemas. */
final class TypeReader {
  private final ModelReader records;
  private final Problems problems;

  TypeReader(ModelReader records, Problems problems) {
    this.records = records;
    this.problems = problems;
  }

  /** The type {@code element}; empty if it has mistakes, which are reported. */
  Optional<TypeModel> read(TypeElement element) {
    int before = problems.count();
    TypeModel type = withoutIndexes(element);
    if (problems.count() > before) {
      return Optional.empty();
    }
    Annotations.find(element, Recordable.class)
        .ifPresent(at -> checked(element, at, () -> check(type, List.of())));
    relations(type);
    List<IndexSpec> indexes = indexes(type);
    return problems.count() > before ? Optional.empty() : Optional.of(type.withIndexes(indexes));
  }

  private TypeModel withoutIndexes(TypeElement element) {
    Recordable recordable = element.getAnnotation(Recordable.class);
    if (recordable == null || element.getKind() != ElementKind.RECORD) {
      throw new Mistake(
          element,
          Annotations.find(element, Recordable.class).orElse(null),
          "%s is not a record with @Recordable; only those are stored. Make it one"
              .formatted(element.getSimpleName()));
    }
    records.checkAccess(element, element, element);
    RecordModel record = records.read(element);
    return new TypeModel(
        record,
        nameOf(element),
        recordable.version(),
        recordable.versions(),
        primaryKey(record),
        expiry(record),
        relationsOf(record),
        List.of(),
        Arrays.stream(recordable.formerIndexes())
            .map(former -> new FormerIndex(former.name(), former.removed()))
            .toList());
  }

  private static List<Component> primaryKey(RecordModel record) {
    return record.components().stream()
        .filter(Component::key)
        .sorted(
            Comparator.comparingInt(
                component -> {
                  PrimaryKey key = component.element().getAnnotation(PrimaryKey.class);
                  return key == null ? 0 : key.order();
                }))
        .toList();
  }

  private Optional<TypeSpec.Expiry> expiry(RecordModel record) {
    List<Component> marked =
        record.components().stream()
            .filter(component -> component.element().getAnnotation(Ttl.class) != null)
            .toList();
    if (marked.isEmpty()) {
      return Optional.empty();
    }
    Component component = marked.getLast();
    AnnotationMirror at = Annotations.find(component.element(), Ttl.class).orElse(null);
    if (marked.size() > 1) {
      throw new Mistake(
          component.element(),
          at,
          "%s has @Ttl on %d components; one says when it expires"
              .formatted(record.simpleName(), marked.size()));
    }
    if (!component.stored()
        || !(component.shape() instanceof Shape.Single single
            && single.scalar() == FieldType.Scalar.INSTANT)) {
      throw new Mistake(
          component.element(),
          at,
          "@Ttl is on '%s', which is not a stored Instant. Records expire at a time: use an Instant"
              .formatted(component.name()));
    }
    Ttl ttl = component.element().getAnnotation(Ttl.class);
    try {
      Duration after = Duration.parse(ttl == null ? "PT0S" : ttl.after());
      return Optional.of(new TypeSpec.Expiry(component.number(), after));
    } catch (DateTimeException wrong) {
      throw new Mistake(
          component.element(),
          at,
          "@Ttl of '%s' is not a duration; write it such as PT24H".formatted(component.name()));
    }
  }

  // ---- relationships

  private List<TypeSpec.Relation> relationsOf(RecordModel record) {
    List<TypeSpec.Relation> relations = new ArrayList<>();
    for (Component component : record.components()) {
      Relationship relationship = component.element().getAnnotation(Relationship.class);
      if (relationship != null) {
        relations.add(
            new TypeSpec.Relation(
                component.number(), nameOf(target(component)), relationship.onDelete()));
      }
    }
    return relations;
  }

  private static TypeElement target(Component component) {
    AnnotationMirror at = Annotations.find(component.element(), Relationship.class).orElseThrow();
    TypeElement target = Annotations.classes(at, "to").getFirst();
    if (target.getAnnotation(Recordable.class) == null) {
      throw new Mistake(
          component.element(),
          at,
          "The component '%s' refers to %s, which is not @Recordable"
              .formatted(component.name(), target.getSimpleName()));
    }
    return target;
  }

  private static String nameOf(TypeElement element) {
    Recordable recordable = element.getAnnotation(Recordable.class);
    return recordable == null || recordable.name().isEmpty()
        ? element.getSimpleName().toString()
        : recordable.name();
  }

  private void relations(TypeModel type) {
    for (TypeSpec.Relation relation : type.relations()) {
      Component component = type.record().component(relation.field());
      AnnotationMirror at = Annotations.find(component.element(), Relationship.class).orElse(null);
      TypeElement target = target(component);
      List<TypeSpec> both = new ArrayList<>();
      both.add(type.spec(Component::name, List.of(relation)));
      if (!target.equals(type.element())) {
        both.add(withoutIndexes(target).spec(Component::name, List.of()));
      }
      checked(component.element(), at, () -> Bridge.check(type.version(), both, List.of()));
    }
  }

  // ---- indexes

  private List<IndexSpec> indexes(TypeModel type) {
    TypeElement element = type.element();
    List<IndexSpec> indexes = new ArrayList<>();
    Index[] values = element.getAnnotationsByType(Index.class);
    List<AnnotationMirror> mirrors = Annotations.all(element, Index.class, Index.All.class);
    for (int i = 0; i < values.length; i++) {
      Index index = values[i];
      checked(element, mirrors.get(i), () -> add(type, indexes, index(type, index)));
    }
    Unique[] uniques = element.getAnnotationsByType(Unique.class);
    List<AnnotationMirror> places = Annotations.all(element, Unique.class, Unique.All.class);
    for (int i = 0; i < uniques.length; i++) {
      Unique unique = uniques[i];
      checked(element, places.get(i), () -> add(type, indexes, unique(type, unique)));
    }
    return indexes;
  }

  private static void add(TypeModel type, List<IndexSpec> indexes, IndexSpec index) {
    indexes.add(index);
    check(type, indexes);
  }

  private static IndexSpec index(TypeModel type, Index index) {
    TypeSpec spec = named(type);
    List<ColumnSpec> columns = columns(spec, index.fields());
    String name = index.name().isEmpty() ? defaultName(type, columns, index.kind()) : index.name();
    IndexSpec result =
        IndexSpec.of(name, type.name(), index.kind(), columns)
            .withCovering(columns(spec, index.covering()))
            .withZeroGroups(index.zeroGroups())
            .withSince(index.since());
    if (!index.where().isBlank()) {
      result = result.withFilter(IndexFilter.parse(spec, index.where()));
    }
    if (index.nullsEqual() && !index.unique()) {
      throw new SchemaException(
          "The index '%s' says nullsEqual, which matters only with unique = true".formatted(name));
    }
    return index.unique() ? result.asUnique(index.nullsEqual()) : result;
  }

  private static IndexSpec unique(TypeModel type, Unique unique) {
    List<ColumnSpec> columns = columns(named(type), unique.fields());
    String name =
        unique.name().isEmpty() ? defaultName(type, columns, IndexKind.VALUE) : unique.name();
    return IndexSpec.of(name, type.name(), IndexKind.VALUE, columns)
        .asUnique(unique.nullsEqual())
        .withSince(unique.since());
  }

  /** The type with the Java names of its components, which annotations use. */
  private static TypeSpec named(TypeModel type) {
    return type.spec(Component::name, List.of());
  }

  private static List<ColumnSpec> columns(TypeSpec spec, String[] fields) {
    List<ColumnSpec> columns = new ArrayList<>();
    for (String field : fields) {
      columns.add(ColumnSpec.parse(spec, field));
    }
    return columns;
  }

  /** Derived from stored names, so that a rename of a component does not change it. */
  private static String defaultName(TypeModel type, List<ColumnSpec> columns, IndexKind kind) {
    StringBuilder name = new StringBuilder(Spelling.snake(type.name()));
    for (ColumnSpec column : columns) {
      RecordModel at = type.record();
      for (ColumnSpec.Step step : column.path()) {
        Component component = at.component(step.field());
        name.append('_').append(Spelling.snake(component.storedName()));
        switch (step.part()) {
          case KEYS -> name.append("_keys");
          case VALUES -> name.append("_values");
          case WHOLE, ELEMENTS -> {}
        }
        at = Names.nested(component.shape()).orElse(at);
      }
      name.append(column.descending() ? "_desc" : "");
    }
    return kind == IndexKind.VALUE
        ? name.toString()
        : name.append('_').append(Spelling.snake(kind.name())).toString();
  }

  private static void check(TypeModel type, List<IndexSpec> indexes) {
    List<TypeSpec.Relation> own =
        type.relations().stream()
            .filter(relation -> relation.target().equals(type.name()))
            .toList();
    Bridge.check(type.version(), List.of(type.spec(Component::name, own)), indexes);
  }

  private void checked(Element element, @Nullable AnnotationMirror at, Runnable check) {
    problems.collect(
        () -> {
          try {
            check.run();
          } catch (SchemaException wrong) {
            throw new Mistake(element, at, String.valueOf(wrong.getMessage()));
          }
        });
  }
}
