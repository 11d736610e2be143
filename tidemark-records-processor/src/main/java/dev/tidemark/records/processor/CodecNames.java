package dev.tidemark.records.processor;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.lang.model.element.TypeElement;

/** The names of the codec classes in one file: one for each record, the outermost first. */
final class CodecNames {
  private final Map<TypeElement, String> names = new LinkedHashMap<>();
  private final Map<TypeElement, String> enums = new LinkedHashMap<>();
  private final Map<TypeElement, RecordModel> models = new LinkedHashMap<>();

  CodecNames(RecordModel outermost) {
    add(outermost);
  }

  private void add(RecordModel model) {
    if (models.putIfAbsent(model.element(), model) != null) {
      return;
    }
    String name = model.simpleName() + "Codec";
    names.put(model.element(), names.containsValue(name) ? name + names.size() : name);
    model.stored().forEach(component -> Names.nested(component.shape()).ifPresent(this::add));
  }

  TypeElement outermost() {
    return models.keySet().iterator().next();
  }

  Collection<RecordModel> models() {
    return models.values();
  }

  Collection<String> names() {
    return names.values();
  }

  String name(RecordModel model) {
    return String.valueOf(names.get(model.element()));
  }

  /** The expression for the codec of {@code model}. */
  String instance(RecordModel model) {
    return name(model) + ".INSTANCE";
  }

  /** The name of the field with all constants of an enum. */
  String constants(Shape.OneOf shape) {
    String name = Names.constant(shape.type().getSimpleName().toString()) + "_VALUES";
    return enums.computeIfAbsent(
        shape.type(), type -> enums.containsValue(name) ? name + enums.size() : name);
  }
}
