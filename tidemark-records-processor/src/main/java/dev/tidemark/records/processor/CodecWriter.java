package dev.tidemark.records.processor;

import dev.tidemark.records.FieldType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;

/** Writes the codec of a record. */
final class CodecWriter {
  private final Source source;
  private final CodecNames codecs;
  private final JavaTypes types;
  private final JavaText text;
  private final RecordModel model;
  private final String type;

  CodecWriter(Source source, CodecNames codecs, RecordModel model) {
    this.source = source;
    this.codecs = codecs;
    this.types = new JavaTypes(source, codecs);
    this.text = new JavaText(source, column -> Optional.empty());
    this.model = model;
    this.type = source.name(model.element());
  }

  void write() {
    String name = codecs.name(model);
    source.blank();
    source.line("@SuppressWarnings({\"NullAway\", \"unchecked\"})");
    source.open(
        "private static final class %s implements %s<%s>"
            .formatted(name, source.ours("RecordCodec"), type));
    constants();
    if (!model.element().equals(codecs.outermost())) {
      source.assign(
          "static final %s.Nested TYPE".formatted(source.ours("FieldType")),
          Source.call(
              "new %s.Nested".formatted(source.ours("FieldType")),
              List.of(JavaText.quoted(model.simpleName()), types.fields(model))));
    }
    source.line("static final %s INSTANCE = new %s();".formatted(name, name));
    writeMethod();
    readMethod();
    getMethod();
    nestedMethod();
    defaultsMethod();
    withMethod();
    source.blank();
    source.open("private static IllegalArgumentException noField(int number)");
    source.line(
        "return new IllegalArgumentException(%s + number);"
            .formatted(JavaText.quoted(model.simpleName() + " has no field ")));
    source.close();
    source.close();
  }

  // ---- constants

  private void constants() {
    Map<String, String> enums = new LinkedHashMap<>();
    for (Component component : model.stored()) {
      for (Shape part : parts(component.shape())) {
        if (part instanceof Shape.OneOf constant) {
          enums.put(codecs.constants(constant), source.name(constant.type()));
        }
      }
    }
    enums.forEach(
        (name, constant) ->
            source.line(
                "private static final %s[] %s = %s.values();".formatted(constant, name, constant)));
    for (Component component : model.stored()) {
      if (hasFixedDefault(component)) {
        source.line(
            "private static final %s %s = %s;"
                .formatted(
                    types.type(component.shape()), defaultName(component), fixed(component)));
      }
    }
  }

  private static List<Shape> parts(Shape shape) {
    return switch (shape) {
      case Shape.Many many -> List.of(many.element());
      case Shape.Mapping map -> List.of(map.key(), map.value());
      case Shape.Single single -> List.of(single);
      case Shape.OneOf constant -> List.of(constant);
      case Shape.Inner inner -> List.of(inner);
    };
  }

  private static boolean hasFixedDefault(Component component) {
    return component.defaultText().isPresent() && !component.defaultsToNow();
  }

  private static String defaultName(Component component) {
    return Names.constant(component.name()) + "_DEFAULT";
  }

  private String fixed(Component component) {
    String written = component.defaultText().orElseThrow();
    return component.shape() instanceof Shape.OneOf constant
        ? source.name(constant.type()) + "." + written
        : text.value(
            (FieldType.Scalar) component.shape().fieldType(Component::name),
            component.shape().fieldType(Component::name).parse(written));
  }

  // ---- write

  private void writeMethod() {
    method("public void write(%s record, %s out)".formatted(type, source.ours("RecordWriter")));
    for (Component component : model.stored().reversed()) {
      writeComponent(component);
    }
    source.close();
  }

  private void writeComponent(Component component) {
    String getter = "record.%s()".formatted(component.name());
    String local = Names.local(component.name());
    switch (component.shape()) {
      case Shape.Many many -> writeMany(component, many, getter, local);
      case Shape.Mapping map -> writeMap(component, map, getter, local);
      case Shape.Single single when single.primitive() ->
          source.line(types.write(single, component.number(), getter));
      case Shape.Single single -> writeSingle(component, getter, local);
      case Shape.OneOf constant -> writeSingle(component, getter, local);
      case Shape.Inner inner -> writeSingle(component, getter, local);
    }
  }

  private void writeSingle(Component component, String getter, String local) {
    String value = component.optional() ? getter + ".orElse(null)" : getter;
    source.line("%s %s = %s;".formatted(types.type(component.shape()), local, value));
    source.open("if (%s != null)".formatted(local));
    source.line(types.write(component.shape(), component.number(), local));
    source.close();
  }

  private void writeMany(Component component, Shape.Many many, String getter, String local) {
    String element = types.reference(many.element());
    backwards(element, local, many.isSet() ? copy(getter) : getter);
    if (!many.element().isPackable()) {
      eachBackwards(element, local);
      source.line(types.write(many.element(), component.number(), "i.previous()"));
      source.close();
      return;
    }
    source.open("if (!%s.isEmpty())".formatted(local));
    source.line("int end = out.size();");
    eachBackwards(element, local);
    source.line(JavaTypes.writePacked(many.element(), "i.previous()"));
    source.close();
    source.line("out.length(%d, end);".formatted(component.number()));
    source.close();
  }

  private void writeMap(Component component, Shape.Mapping map, String getter, String local) {
    String entry =
        "%s.Entry<%s, %s>"
            .formatted(
                source.name("java.util.Map"),
                types.reference(map.key()),
                types.reference(map.value()));
    backwards(entry, local, copy(getter + ".entrySet()"));
    eachBackwards(entry, local);
    source.line("%s entry = i.previous();".formatted(entry));
    source.line("int end = out.size();");
    source.line(types.write(map.value(), 2, "entry.getValue()"));
    source.line(types.write(map.key(), 1, "entry.getKey()"));
    source.line("out.length(%d, end);".formatted(component.number()));
    source.close();
  }

  private void backwards(String element, String local, String list) {
    source.line("%s<%s> %s = %s;".formatted(source.name("java.util.List"), element, local, list));
  }

  private void eachBackwards(String element, String local) {
    source.open(
        "for (%s<%s> i = %s.listIterator(%s.size()); i.hasPrevious(); )"
            .formatted(source.name("java.util.ListIterator"), element, local, local));
  }

  private String copy(String collection) {
    return "new %s<>(%s)".formatted(source.name("java.util.ArrayList"), collection);
  }

  // ---- read

  private void readMethod() {
    method("public %s read(%s in)".formatted(type, source.ours("RecordReader")));
    for (Component component : model.components()) {
      if (component.stored()) {
        source.line(
            "%s %s = %s;"
                .formatted(
                    types.type(component.shape()),
                    Names.local(component.name()),
                    initial(component)));
      }
    }
    source.open("for (int number = in.next(); number != 0; number = in.next())");
    source.open("switch (number)");
    model.stored().forEach(this::readComponent);
    source.line("default -> in.skip();");
    source.close();
    source.close();
    construct(this::fromLocal);
    source.close();
  }

  private String initial(Component component) {
    if (hasFixedDefault(component)) {
      return defaultName(component);
    }
    return switch (component.shape()) {
      case Shape.Many many ->
          "new %s<>()"
              .formatted(
                  source.name(many.isSet() ? "java.util.LinkedHashSet" : "java.util.ArrayList"));
      case Shape.Mapping map -> "new %s<>()".formatted(source.name("java.util.LinkedHashMap"));
      case Shape.Single single -> single.primitive() ? types.absent(single) : "null";
      case Shape.OneOf constant -> "null";
      case Shape.Inner inner -> "null";
    };
  }

  private void readComponent(Component component) {
    String local = Names.local(component.name());
    String label = "case %d -> ".formatted(component.number());
    switch (component.shape()) {
      case Shape.Many many -> readMany(many, label, local);
      case Shape.Mapping map -> readMap(map, label, local);
      case Shape.Single single -> readSingle(single, label, local);
      case Shape.OneOf constant -> readSingle(constant, label, local);
      case Shape.Inner inner -> readSingle(inner, label, local);
    }
  }

  private void readSingle(Shape shape, String label, String local) {
    source.line("%s%s = %s;".formatted(label, local, types.read(shape)));
  }

  private void readMany(Shape.Many many, String label, String local) {
    String add = "%s.add(%s);".formatted(local, types.read(many.element()));
    if (!many.element().isPackable()) {
      source.line(label + add);
      return;
    }
    source.open(label.stripTrailing());
    source.line("int end = in.packed();");
    source.open("while (in.hasMore(end))");
    source.line(add);
    source.close();
    source.close();
  }

  private void readMap(Shape.Mapping map, String label, String local) {
    source.open(label.stripTrailing());
    source.line("int outer = in.enter();");
    source.line("%s key = %s;".formatted(types.type(map.key()), types.absent(map.key())));
    source.line("%s value = %s;".formatted(types.type(map.value()), types.absent(map.value())));
    source.open("for (int part = in.next(); part != 0; part = in.next())");
    source.open("switch (part)");
    source.line("case 1 -> key = %s;".formatted(types.read(map.key())));
    source.line("case 2 -> value = %s;".formatted(types.read(map.value())));
    source.line("default -> in.skip();");
    source.close();
    source.close();
    source.line("in.leave(outer);");
    source.line("%s.put(key, value);".formatted(local));
    source.close();
  }

  private String fromLocal(Component component) {
    String local = Names.local(component.name());
    if (!component.stored()) {
      return nothing(component.element().asType());
    }
    if (component.optional()) {
      return "%s.ofNullable(%s)".formatted(source.name("java.util.Optional"), local);
    }
    String collections = "java.util.Collections";
    return switch (component.shape()) {
      case Shape.Many many ->
          "%s.unmodifiable%s(%s)"
              .formatted(source.name(collections), many.isSet() ? "Set" : "List", local);
      case Shape.Mapping map -> "%s.unmodifiableMap(%s)".formatted(source.name(collections), local);
      case Shape.Single single -> local;
      case Shape.OneOf constant -> local;
      case Shape.Inner inner -> local;
    };
  }

  /** What a component that is not stored has when a record is loaded. */
  private String nothing(TypeMirror component) {
    return switch (component.getKind()) {
      case BOOLEAN -> "false";
      case BYTE -> "(byte) 0";
      case SHORT -> "(short) 0";
      case INT, LONG, FLOAT, DOUBLE -> "0";
      case CHAR -> "'\\0'";
      case DECLARED ->
          switch (((DeclaredType) component).asElement().toString()) {
            case "java.util.List" -> source.name("java.util.List") + ".of()";
            case "java.util.Set" -> source.name("java.util.Set") + ".of()";
            case "java.util.Map" -> source.name("java.util.Map") + ".of()";
            case "java.util.Optional" -> source.name("java.util.Optional") + ".empty()";
            default -> "null";
          };
      default -> "null";
    };
  }

  private void construct(Function<Component, String> argument) {
    source.line(
        Source.call("return new " + type, model.components().stream().map(argument).toList())
            + ";");
  }

  // ---- fields

  private void getMethod() {
    String nullable = "@%s ".formatted(source.name("org.jspecify.annotations.Nullable"));
    method("public %sObject get(%s record, int number)".formatted(nullable, type));
    if (model.stored().isEmpty()) {
      source.line("throw noField(number);");
      source.close();
      return;
    }
    source.open("return switch (number)");
    for (Component component : model.stored()) {
      source.line(
          "case %d -> record.%s()%s;"
              .formatted(
                  component.number(),
                  component.name(),
                  component.optional() ? ".orElse(null)" : ""));
    }
    source.line("default -> throw noField(number);");
    source.close("};");
    source.close();
  }

  private void nestedMethod() {
    Map<Integer, String> nested = new LinkedHashMap<>();
    for (Component component : model.stored()) {
      Names.nested(component.shape())
          .ifPresent(inner -> nested.put(component.number(), codecs.instance(inner)));
    }
    if (nested.isEmpty()) {
      return;
    }
    method("public %s<?> nested(int number)".formatted(source.ours("RecordCodec")));
    source.open("return switch (number)");
    nested.forEach((number, codec) -> source.line("case %d -> %s;".formatted(number, codec)));
    source.line("default -> throw noField(number);");
    source.close("};");
    source.close();
  }

  private void defaultsMethod() {
    if (!model.hasDefaultsToFillIn()) {
      return;
    }
    method(
        "public %s withDefaults(%s record, %s now)"
            .formatted(type, type, source.name("java.time.Instant")));
    List<String> unchanged = new ArrayList<>();
    for (Component component : model.stored()) {
      filledIn(component)
          .ifPresent(
              filled -> {
                String local = Names.local(component.name());
                String reference = types.reference(component.shape());
                source.line("%s %s = record.%s();".formatted(reference, local, component.name()));
                source.line("%s = %s;".formatted(local, filled));
                unchanged.add("%s == record.%s()".formatted(local, component.name()));
              });
    }
    source.open("if (%s)".formatted(String.join(" && ", unchanged)));
    source.line("return record;");
    source.close();
    construct(
        component ->
            filledIn(component).isPresent()
                ? Names.local(component.name())
                : "record.%s()".formatted(component.name()));
    source.close();
  }

  /** The value of a component, which its local variable has, with defaults. */
  private Optional<String> filledIn(Component component) {
    String local = Names.local(component.name());
    if (!component.stored() || !component.nullable()) {
      return Optional.empty();
    }
    if (component.defaultText().isPresent()) {
      return Optional.of(
          "%s == null ? %s : %s"
              .formatted(local, component.defaultsToNow() ? "now" : defaultName(component), local));
    }
    return component.shape() instanceof Shape.Inner inner && inner.model().hasDefaultsToFillIn()
        ? Optional.of(
            "%s == null ? null : %s.withDefaults(%s, now)"
                .formatted(local, codecs.instance(inner.model()), local))
        : Optional.empty();
  }

  private void withMethod() {
    String nullable = "@%s ".formatted(source.name("org.jspecify.annotations.Nullable"));
    method("public %s with(%s record, int number, %sObject value)".formatted(type, type, nullable));
    if (model.stored().isEmpty()) {
      source.line("throw noField(number);");
      source.close();
      return;
    }
    source.open("switch (number)");
    source.line(
        "case %s -> {}"
            .formatted(
                String.join(
                    ", ",
                    model.stored().stream()
                        .map(component -> String.valueOf(component.number()))
                        .toList())));
    source.line("default -> throw noField(number);");
    source.close();
    construct(this::replaced);
    source.close();
  }

  private String replaced(Component component) {
    String getter = "record.%s()".formatted(component.name());
    if (!component.stored()) {
      return getter;
    }
    String cast = "(%s) value".formatted(types.type(component.shape()));
    return "number == %d ? %s : %s"
        .formatted(
            component.number(),
            component.optional()
                ? "%s.ofNullable(%s)".formatted(source.name("java.util.Optional"), cast)
                : cast,
            getter);
  }

  private void method(String head) {
    source.blank();
    source.line("@Override");
    source.open(head);
  }
}
