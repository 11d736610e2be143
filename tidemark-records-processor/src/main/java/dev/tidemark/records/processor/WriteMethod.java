package dev.tidemark.records.processor;

import dev.tidemark.records.codec.RecordWriter;

/** Writes the write method of a codec, which writes fields and elements last first. */
final class WriteMethod {
  private final Source source;
  private final CodecText codec;
  private final TypeNames names;
  private final RecordModel model;

  WriteMethod(Source source, CodecText codec, RecordModel model) {
    this.source = source;
    this.codec = codec;
    this.names = new TypeNames(source);
    this.model = model;
  }

  void write() {
    source.blank();
    source.line("@Override");
    source.open(
        "public void write(%s record, %s out)"
            .formatted(source.name(model.element()), source.ours(RecordWriter.class)));
    for (Component component : model.stored().reversed()) {
      component(component);
    }
    source.close();
  }

  private void component(Component component) {
    String getter = "record.%s()".formatted(component.name());
    String local = Names.local(component.name());
    switch (component.shape()) {
      case Shape.Many many -> many(component, many, getter, local);
      case Shape.Mapping map -> map(component, map, getter, local);
      case Shape.Single single when single.primitive() ->
          source.line(codec.write(single, component.number(), getter));
      case Shape.Single single -> single(component, getter, local);
      case Shape.OneOf constant -> single(component, getter, local);
      case Shape.Inner inner -> single(component, getter, local);
    }
  }

  private void single(Component component, String getter, String local) {
    String value = component.optional() ? getter + ".orElse(null)" : getter;
    source.line("%s %s = %s;".formatted(names.type(component.shape()), local, value));
    source.open("if (%s != null)".formatted(local));
    source.line(codec.write(component.shape(), component.number(), local));
    source.close();
  }

  private void many(Component component, Shape.Many many, String getter, String local) {
    String element = names.reference(many.element());
    backwards(element, local, many.isSet() ? copy(getter) : getter);
    if (!many.element().isPackable()) {
      eachBackwards(element, local);
      source.line(codec.write(many.element(), component.number(), "i.previous()"));
      source.close();
      return;
    }
    source.open("if (!%s.isEmpty())".formatted(local));
    source.line("int end = out.size();");
    eachBackwards(element, local);
    source.line(CodecText.writePacked(many.element(), "i.previous()"));
    source.close();
    source.line("out.length(%d, end);".formatted(component.number()));
    source.close();
  }

  private void map(Component component, Shape.Mapping map, String getter, String local) {
    String entry =
        "%s.Entry<%s, %s>"
            .formatted(
                source.name("java.util.Map"),
                names.reference(map.key()),
                names.reference(map.value()));
    backwards(entry, local, copy(getter + ".entrySet()"));
    eachBackwards(entry, local);
    source.line("%s entry = i.previous();".formatted(entry));
    source.line("int end = out.size();");
    source.line(codec.write(map.value(), 2, "entry.getValue()"));
    source.line(codec.write(map.key(), 1, "entry.getKey()"));
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
}
