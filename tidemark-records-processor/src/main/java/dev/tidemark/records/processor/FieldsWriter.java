package dev.tidemark.records.processor;

import dev.tidemark.records.internal.format.Spelling;
import dev.tidemark.records.query.CollectionField;
import dev.tidemark.records.query.Field;
import dev.tidemark.records.query.MapField;
import dev.tidemark.records.query.TextField;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.Schema;
import dev.tidemark.records.schema.TypeSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.util.Elements;

/** Writes {@code User_}: the fields of a record, its codec, its type and its schema. */
final class FieldsWriter {
  private static final Set<String> OWN = Set.of("SPEC", "TYPE", "INDEXES", "SCHEMA");

  private final Elements elements;
  private final TypeModel model;
  private final Files.Target target;
  private final CodecNames codecs;
  private final Source source;
  private final CodecText codec;
  private final TypeNames names;
  private final JavaText text;
  private final String type;

  FieldsWriter(Elements elements, TypeModel model) {
    this.elements = elements;
    this.model = model;
    this.target = Files.target(elements, model.element(), "_");
    this.codecs = new CodecNames(model.record());
    List<String> declared = new ArrayList<>(codecs.names());
    declared.add(target.simpleName());
    declared.addAll(OWN);
    names(model.record(), declared);
    this.source = new Source(elements, target.packageName(), declared);
    this.codec = new CodecText(source, codecs);
    this.names = new TypeNames(source);
    this.text = new JavaText(source, this::handle);
    this.type = source.name(model.element());
  }

  /** The names of handles and their classes, which hide types of the same name. */
  private static void names(RecordModel record, List<String> names) {
    for (Component component : record.stored()) {
      names.add(handle(component));
      Names.nested(component.shape())
          .ifPresent(
              inner -> {
                names.add(holder(component));
                names(inner, names);
              });
    }
  }

  Files.Generated write() {
    source.line(
        "/** The fields of {@link %s}, and what stores need to know of it. */".formatted(type));
    Files.generated(elements, source, model.element());
    source.open("%sfinal class %s".formatted(target.visibility(), target.simpleName()));
    spec();
    fields(model.record(), type, "", target.simpleName());
    source.blank();
    source.line("/** The type, to open stores with. */");
    source.assign(
        "%sstatic final %s<%s> TYPE"
            .formatted(target.visibility(), source.ours(RecordType.class), type),
        "new %s<>(SPEC, %s.class, %s)"
            .formatted(source.ours(RecordType.class), type, codecs.instance(model.record())));
    indexes();
    source.blank();
    source.line("private %s() {}".formatted(target.simpleName()));
    key();
    for (RecordModel record : codecs.models()) {
      new CodecWriter(source, codecs, record).write();
    }
    source.close();
    return new Files.Generated(target, source.toString());
  }

  private void spec() {
    List<String> parts = new ArrayList<>();
    String optional = source.name("java.util.Optional");
    parts.add(JavaText.quoted(model.name()));
    parts.add(codec.fields(model.record()));
    parts.add(
        text.listOf(model.primaryKey().stream().map(key -> String.valueOf(key.number())).toList()));
    parts.add(String.valueOf(model.versions()));
    parts.add(
        model
            .expiry()
            .map(
                expiry ->
                    "%s.of(new %s.Expiry(%d, %s.parse(%s)))"
                        .formatted(
                            optional,
                            source.ours(TypeSpec.class),
                            expiry.field(),
                            source.name("java.time.Duration"),
                            JavaText.quoted(expiry.after().toString())))
            .orElse(optional + ".empty()"));
    parts.add(text.listOf(model.relations().stream().map(this::relation).toList()));
    codec.reserved(model.record()).ifPresent(parts::add);
    source.assign(
        "private static final %s SPEC".formatted(source.ours(TypeSpec.class)),
        Source.call("new " + source.ours(TypeSpec.class), parts));
  }

  private String relation(TypeSpec.Relation relation) {
    return "new %s.Relation(%d, %s, %s.%s)"
        .formatted(
            source.ours(TypeSpec.class),
            relation.field(),
            JavaText.quoted(relation.target()),
            source.ours(DeleteRule.class),
            relation.onDelete());
  }

  // ---- fields

  /**
   * Writes a handle for each field of {@code record}.
   *
   * @param owner the Java class of the records that the handles are for
   * @param base the handle of the field that contains it; empty where handles begin with it
   * @param holder the class that contains the handles
   */
  private void fields(RecordModel record, String owner, String base, String holder) {
    Map<String, Component> seen = new HashMap<>();
    for (Component component : record.stored()) {
      String name = handle(component);
      Component other = seen.put(name, component);
      if (other != null) {
        throw new Mistake(
            component.element(),
            "The components '%s' and '%s' would both be called %s in generated code. Rename one of them"
                .formatted(other.name(), component.name(), name));
      }
      source.blank();
      source.line("/** The field {@code %s}. */".formatted(component.name()));
      source.assign(
          "%sstatic final %s %s"
              .formatted(target.visibility(), handleType(owner, component.shape()), name),
          field(record, component, base));
      switch (component.shape()) {
        case Shape.Inner inner ->
            nestedFields(component, inner.model(), owner, holder + "." + handle(component), holder);
        case Shape.Many many -> elementFields(component, holder);
        case Shape.Mapping map -> elementFields(component, holder);
        case Shape.Single single -> {}
        case Shape.OneOf constant -> {}
      }
    }
  }

  /** The most specific type for the handle of a component. */
  private String handleType(String owner, Shape shape) {
    return switch (shape) {
      case Shape.Single single when single.scalar() == FieldType.Scalar.STRING ->
          "%s<%s>".formatted(source.ours(TextField.class), owner);
      case Shape.Many many ->
          "%s<%s, %s, %s>"
              .formatted(
                  source.ours(CollectionField.class),
                  owner,
                  names.reference(many),
                  names.reference(many.element()));
      case Shape.Mapping map ->
          "%s<%s, %s, %s>"
              .formatted(
                  source.ours(MapField.class),
                  owner,
                  names.reference(map.key()),
                  names.reference(map.value()));
      case Shape.Single single -> plainHandleType(owner, single);
      case Shape.OneOf constant -> plainHandleType(owner, constant);
      case Shape.Inner inner -> plainHandleType(owner, inner);
    };
  }

  private String plainHandleType(String owner, Shape shape) {
    return "%s<%s, %s>".formatted(source.ours(Field.class), owner, names.reference(shape));
  }

  private String field(RecordModel record, Component component, String base) {
    String javaType = source.name(record.element());
    String getter =
        component.optional()
            ? "record -> record.%s().orElse(null)".formatted(component.name())
            : "%s::%s".formatted(javaType, component.name());
    String plain =
        "%s.%s(%s, %d, %s)"
            .formatted(
                source.ours(Field.class),
                factory(javaType, component.shape()),
                record.element().equals(model.record().element())
                    ? "SPEC"
                    : codecs.name(record) + ".TYPE",
                component.number(),
                getter);
    String typed =
        component.shape() instanceof Shape.OneOf constant
            ? "%s.withConstants(%s.values())".formatted(plain, source.name(constant.type()))
            : plain;
    return base.isEmpty() ? typed : "%s.then(%s)".formatted(base, typed);
  }

  /** The factory method of a handle, with type arguments that the compiler cannot infer. */
  private String factory(String javaType, Shape shape) {
    return switch (shape) {
      case Shape.Single single when single.scalar() == FieldType.Scalar.STRING ->
          "<%s>text".formatted(javaType);
      case Shape.Many many ->
          "<%s, %s, %s>collection"
              .formatted(javaType, names.reference(many), names.reference(many.element()));
      case Shape.Mapping map ->
          "<%s, %s, %s>map"
              .formatted(javaType, names.reference(map.key()), names.reference(map.value()));
      case Shape.Single single -> plainFactory(javaType, single);
      case Shape.OneOf constant -> plainFactory(javaType, constant);
      case Shape.Inner inner -> plainFactory(javaType, inner);
    };
  }

  private String plainFactory(String javaType, Shape shape) {
    return "<%s, %s>of".formatted(javaType, names.reference(shape));
  }

  /** Writes the handles of the records in a list, a set or the values of a map. */
  private void elementFields(Component component, String holder) {
    Names.nested(component.shape())
        .ifPresent(
            inner -> nestedFields(component, inner, source.name(inner.element()), "", holder));
  }

  private void nestedFields(
      Component component, RecordModel inner, String owner, String base, String holder) {
    String name = holder(component);
    source.blank();
    source.line("/** The fields in {@code %s}. */".formatted(component.name()));
    source.open("%sstatic final class %s".formatted(target.visibility(), name));
    source.line("private %s() {}".formatted(name));
    fields(inner, owner, base, holder + "." + name);
    source.close();
  }

  private static String handle(Component component) {
    String name = Names.constant(component.name());
    return OWN.contains(name) ? name + "_" : name;
  }

  /**
   * The handle of {@code column}, in either direction. Handles of nested records are not used:
   * their classes need this one, and a cycle of initializations would fail.
   */
  private Optional<String> handle(ColumnSpec column) {
    ColumnSpec.Part part = column.path().getFirst().part();
    boolean plain = part == ColumnSpec.Part.WHOLE || part == ColumnSpec.Part.ELEMENTS;
    return column.path().size() == 1 && plain
        ? Optional.of(handle(model.record().component(column.path().getFirst().field())))
        : Optional.empty();
  }

  private static String holder(Component component) {
    return Spelling.capitalized(component.name()) + "Fields";
  }

  // ---- indexes, schema and key

  private void indexes() {
    source.blank();
    source.line("/** The indexes of the type. */");
    source.assign(
        "%sstatic final %s<%s> INDEXES"
            .formatted(
                target.visibility(), source.name("java.util.List"), source.ours(IndexSpec.class)),
        Source.call(
            source.name("java.util.List") + ".of",
            model.indexes().stream().map(text::index).toList()));
    if (!model.standsAlone()) {
      return;
    }
    source.blank();
    source.line("/** The schema of a store with this type alone. */");
    source.assign(
        "%sstatic final %s SCHEMA".formatted(target.visibility(), source.ours(Schema.class)),
        "%s.of(%d, %s.of(TYPE), INDEXES)%s%s"
            .formatted(
                source.ours(Schema.class),
                model.version(),
                source.name("java.util.List"),
                JavaText.former(source, List.of(model)),
                StreamReader.with(source, StreamReader.of(model))));
  }

  private void key() {
    List<String> parameters = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    for (Component component : model.primaryKey()) {
      String name = Names.local(component.name());
      parameters.add(names.type(component.shape()) + " " + name);
      arguments.add(name);
    }
    source.blank();
    source.line("/** The primary key of a record. */");
    source.open(
        "%sstatic %s key(%s)"
            .formatted(
                target.visibility(),
                source.name("dev.tidemark.kv.tuple.Tuple"),
                String.join(", ", parameters)));
    source.line(
        "return SPEC.key(%s);"
            .formatted(
                arguments.size() == 1
                    ? "new Object[] {%s}".formatted(arguments.getFirst())
                    : String.join(", ", arguments)));
    source.close();
  }
}
