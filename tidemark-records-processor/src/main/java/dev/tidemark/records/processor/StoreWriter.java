package dev.tidemark.records.processor;

import dev.tidemark.records.RecordSpace;
import dev.tidemark.records.RecordStore;
import dev.tidemark.records.StoreOptions;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;

/** Writes {@code UserStore} and {@code ShopStore}, which open stores. */
final class StoreWriter {
  private final Elements elements;
  private final TypeElement element;
  private final Files.Target target;
  private final DirectoryPath path;
  private final Source source;
  private final TypeNames names;

  StoreWriter(Elements elements, TypeElement element, DirectoryPath path) {
    this.elements = elements;
    this.element = element;
    this.target = Files.target(elements, element, "Store");
    this.path = path;
    this.source = new Source(elements, target.packageName(), List.of(target.simpleName()));
    this.names = new TypeNames(source);
  }

  /** The store of one type. */
  Files.Generated one(TypeModel type) {
    String fields = fieldsOf(type);
    String record = source.name(type.element());
    head("/** Opens stores of {@link %s}. */".formatted(record));
    source.line("private %s() {}".formatted(target.simpleName()));
    open(
        "%s<%s>".formatted(source.ours(RecordStore.class), record),
        fields + ".SCHEMA",
        "%s.store(" + fields + ".TYPE)");
    source.close();
    return new Files.Generated(target, source.toString());
  }

  /** The stores of several types in one place. */
  Files.Generated several(int version, List<TypeModel> members) {
    String list = source.name("java.util.List");
    head(
        "/** The stores of {@link %s}, which lie in one place. */".formatted(source.name(element)));
    source.line("/** The schema of all types. */");
    source.assign(
        "%sstatic final %s SCHEMA".formatted(target.visibility(), source.ours(Schema.class)),
        Source.call(
                source.ours(Schema.class) + ".of",
                List.of(
                    String.valueOf(version),
                    "%s.of(%s)".formatted(list, joined(members, ".TYPE")),
                    "%s.of(%s).flatMap(%s::stream).toList()"
                        .formatted(
                            source.name("java.util.stream.Stream"),
                            joined(members, ".INDEXES"),
                            list)))
            + JavaText.former(source, members)
            + StreamReader.with(source, StreamReader.of(element, members)));
    source.blank();
    source.line("private final %s space;".formatted(source.ours(RecordSpace.class)));
    source.blank();
    source.open(
        "private %s(%s space)".formatted(target.simpleName(), source.ours(RecordSpace.class)));
    source.line("this.space = space;");
    source.close();
    open(target.simpleName(), "SCHEMA", "new " + target.simpleName() + "(%s)");
    source.blank();
    source.line("/** The place that the stores are in. */");
    source.open("%s%s space()".formatted(target.visibility(), source.ours(RecordSpace.class)));
    source.line("return space;");
    source.close();
    members.forEach(this::accessor);
    source.close();
    return new Files.Generated(target, source.toString());
  }

  private String joined(List<TypeModel> members, String suffix) {
    return String.join(", ", members.stream().map(type -> fieldsOf(type) + suffix).toList());
  }

  private String fieldsOf(TypeModel type) {
    return source.name(Files.target(elements, type.element(), "_").qualifiedName());
  }

  private void accessor(TypeModel type) {
    String record = source.name(type.element());
    source.blank();
    source.line("/** The records of {@link %s}. */".formatted(record));
    source.open(
        "%s%s<%s> %s()"
            .formatted(
                target.visibility(),
                source.ours(RecordStore.class),
                record,
                Names.method(type.record().simpleName())));
    source.line("return space.store(%s.TYPE);".formatted(fieldsOf(type)));
    source.close();
  }

  private void head(String comment) {
    source.line(comment);
    Files.generated(elements, source, element);
    source.open("%sfinal class %s".formatted(target.visibility(), target.simpleName()));
  }

  /**
   * The methods that open the store.
   *
   * @param result the expression that makes the result from a {@code RecordSpace}
   */
  private void open(String type, String schema, String result) {
    List<String> parameters = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    parameters.add(source.name("dev.tidemark.kv.Database") + " database");
    arguments.add("database");
    for (DirectoryPath.Name.Placeholder placeholder : path.placeholders()) {
      parameters.add(names.type(placeholder.shape()) + " " + Names.local(placeholder.name()));
      arguments.add(Names.local(placeholder.name()));
    }
    source.blank();
    source.line("/** Opens the store with default options, and makes it if it is not there. */");
    source.open(
        "%sstatic %s open(%s)".formatted(target.visibility(), type, String.join(", ", parameters)));
    source.line("return open(%s, options -> options);".formatted(String.join(", ", arguments)));
    source.close();
    parameters.add(
        "%s<%s> change"
            .formatted(
                source.name("java.util.function.UnaryOperator"), source.ours(StoreOptions.class)));
    source.blank();
    source.line("/** Opens the store with changed options, and makes it if it is not there. */");
    source.open(Source.call("%sstatic %s open".formatted(target.visibility(), type), parameters));
    for (DirectoryPath.Name.Placeholder placeholder : path.placeholders()) {
      if (!placeholder.shape().isPrimitive()) {
        source.line(
            "%s.requireNonNull(%s, %s);"
                .formatted(
                    source.name("java.util.Objects"),
                    Names.local(placeholder.name()),
                    JavaText.quoted(
                        placeholder.name()
                            + " is null; it is a name in the path of the store, so give it a"
                            + " value")));
      }
    }
    source.line(
        "%s<String> path = %s.of(%s);"
            .formatted(
                source.name("java.util.List"),
                source.name("java.util.List"),
                String.join(", ", path.names().stream().map(StoreWriter::name).toList())));
    source.line(
        "%s space = %s.open(database, %s, path, %d, change);"
            .formatted(
                source.ours(RecordSpace.class),
                source.ours(RecordSpace.class),
                schema,
                path.partition()));
    source.line("return %s;".formatted(result.formatted("space")));
    source.close();
  }

  private static String name(DirectoryPath.Name name) {
    return switch (name) {
      case DirectoryPath.Name.Fixed fixed -> JavaText.quoted(fixed.text());
      case DirectoryPath.Name.Placeholder placeholder -> {
        String local = Names.local(placeholder.name());
        yield switch (placeholder.shape()) {
          case Shape.OneOf constant -> local + ".name()";
          case Shape.Single single when single.scalar() == FieldType.Scalar.STRING -> local;
          case Shape.Single single -> "String.valueOf(%s)".formatted(local);
          case Shape.Inner inner -> throw new IllegalArgumentException(local);
          case Shape.Many many -> throw new IllegalArgumentException(local);
          case Shape.Mapping map -> throw new IllegalArgumentException(local);
        };
      }
    };
  }
}
