package dev.tidemark.records.processor;

import dev.tidemark.records.codec.RecordReader;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;

/** Writes the read method of a codec. */
final class ReadMethod {
  private final Source source;
  private final CodecText codec;
  private final TypeNames names;
  private final RecordModel model;

  ReadMethod(Source source, CodecText codec, RecordModel model) {
    this.source = source;
    this.codec = codec;
    this.names = new TypeNames(source);
    this.model = model;
  }

  void write() {
    String type = source.name(model.element());
    source.blank();
    source.line("@Override");
    source.open("public %s read(%s in)".formatted(type, source.ours(RecordReader.class)));
    for (Component component : model.components()) {
      if (component.stored()) {
        source.line(
            "%s %s = %s;"
                .formatted(
                    names.type(component.shape()),
                    Names.local(component.name()),
                    initial(component)));
      }
    }
    source.open("for (int number = in.next(); number != 0; number = in.next())");
    source.open("switch (number)");
    model.stored().forEach(this::component);
    source.line("default -> in.skip();");
    source.close();
    source.close();
    source.line(
        Source.call("return new " + type, model.components().stream().map(this::argument).toList())
            + ";");
    source.close();
  }

  private String initial(Component component) {
    if (component.hasFixedDefault()) {
      return Names.defaultOf(component);
    }
    return switch (component.shape()) {
      case Shape.Many many ->
          "new %s<>()"
              .formatted(
                  source.name(many.isSet() ? "java.util.LinkedHashSet" : "java.util.ArrayList"));
      case Shape.Mapping map -> "new %s<>()".formatted(source.name("java.util.LinkedHashMap"));
      case Shape.Single single -> single.primitive() ? codec.absent(single) : "null";
      case Shape.OneOf constant -> "null";
      case Shape.Inner inner -> "null";
    };
  }

  private void component(Component component) {
    String local = Names.local(component.name());
    String label = "case %d -> ".formatted(component.number());
    switch (component.shape()) {
      case Shape.Many many -> many(many, label, local);
      case Shape.Mapping map -> map(map, label, local);
      case Shape.Single single -> single(single, label, local);
      case Shape.OneOf constant -> single(constant, label, local);
      case Shape.Inner inner -> single(inner, label, local);
    }
  }

  private void single(Shape shape, String label, String local) {
    source.line("%s%s = %s;".formatted(label, local, codec.read(shape)));
  }

  private void many(Shape.Many many, String label, String local) {
    String add = "%s.add(%s);".formatted(local, codec.read(many.element()));
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

  private void map(Shape.Mapping map, String label, String local) {
    source.open(label.stripTrailing());
    source.line("int outer = in.enter();");
    boolean nested = map.value() instanceof Shape.Inner;
    source.line("%s key = %s;".formatted(names.type(map.key()), codec.absent(map.key())));
    source.line(
        "%s value = %s;"
            .formatted(names.type(map.value()), nested ? "null" : codec.absent(map.value())));
    source.open("for (int part = in.next(); part != 0; part = in.next())");
    source.open("switch (part)");
    source.line("case 1 -> key = %s;".formatted(codec.read(map.key())));
    source.line("case 2 -> value = %s;".formatted(codec.read(map.value())));
    source.line("default -> in.skip();");
    source.close();
    source.close();
    source.line("in.leave(outer);");
    if (nested) {
      source.open("if (value == null)");
      source.line("value = %s;".formatted(codec.absent(map.value())));
      source.close();
    }
    source.line("%s.put(key, value);".formatted(local));
    source.close();
  }

  private String argument(Component component) {
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

  /** The value of a transient component in a loaded record. */
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
}
