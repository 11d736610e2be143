package dev.tidemark.records.processor;

import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.schema.FieldType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Writes the codec of a record: its class, and the methods that get and replace fields. */
final class CodecWriter {
  private final Source source;
  private final CodecNames codecs;
  private final CodecText codec;
  private final TypeNames names;
  private final JavaText text;
  private final RecordModel model;
  private final String type;

  CodecWriter(Source source, CodecNames codecs, RecordModel model) {
    this.source = source;
    this.codecs = codecs;
    this.codec = new CodecText(source, codecs);
    this.names = new TypeNames(source);
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
            .formatted(name, source.ours(RecordCodec.class), type));
    constants();
    if (!model.element().equals(codecs.outermost())) {
      List<String> parts = new ArrayList<>();
      parts.add(JavaText.quoted(model.simpleName()));
      parts.add(codec.fields(model));
      codec.reserved(model).ifPresent(parts::add);
      source.assign(
          "static final %s.Nested TYPE".formatted(source.ours(FieldType.class)),
          Source.call("new %s.Nested".formatted(source.ours(FieldType.class)), parts));
    }
    source.line("static final %s INSTANCE = new %s();".formatted(name, name));
    new WriteMethod(source, codec, model).write();
    new ReadMethod(source, codec, model).write();
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
      for (Shape part : component.shape().parts()) {
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
      if (component.hasFixedDefault()) {
        source.line(
            "private static final %s %s = %s;"
                .formatted(
                    names.type(component.shape()), Names.defaultOf(component), fixed(component)));
      }
    }
  }

  private String fixed(Component component) {
    String written = component.defaultText().orElseThrow();
    return component.shape() instanceof Shape.OneOf constant
        ? source.name(constant.type()) + "." + written
        : text.value(
            (FieldType.Scalar) component.shape().fieldType(Component::name),
            component.shape().fieldType(Component::name).parse(written));
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
    method("public %s<?> nested(int number)".formatted(source.ours(RecordCodec.class)));
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
                String reference = names.reference(component.shape());
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

  /** The expression that fills defaults into the local variable of a component. */
  private Optional<String> filledIn(Component component) {
    String local = Names.local(component.name());
    if (!component.stored() || !component.nullable()) {
      return Optional.empty();
    }
    if (component.defaultText().isPresent()) {
      return Optional.of(
          "%s == null ? %s : %s"
              .formatted(
                  local, component.defaultsToNow() ? "now" : Names.defaultOf(component), local));
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
    String cast = "(%s) value".formatted(names.type(component.shape()));
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

  private void construct(Function<Component, String> argument) {
    source.line(
        Source.call("return new " + type, model.components().stream().map(argument).toList())
            + ";");
  }
}
