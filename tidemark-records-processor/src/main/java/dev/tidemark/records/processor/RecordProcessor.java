package dev.tidemark.records.processor;

import dev.tidemark.records.annotation.RecordSchema;
import dev.tidemark.records.annotation.Recordable;
import dev.tidemark.records.schema.ProtoFile;
import dev.tidemark.records.schema.TypeSpec;
import java.io.IOException;
import java.io.Writer;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.FilerException;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.tools.StandardLocation;

/**
 * The annotation processor: reads {@link Recordable} records and {@link RecordSchema} interfaces,
 * reports their mistakes, and writes their fields, codecs and stores.
 *
 * <p>With the option {@code -Atidemark.proto=DIR} it also writes a .proto file for each type and
 * schema into {@code DIR} of the class output, under the package and the name of the type.
 */
public final class RecordProcessor extends AbstractProcessor {
  private static final String PROTO = "tidemark.proto";

  /** Types that refer to types that another processor may still generate. */
  private final Set<String> waiting = new LinkedHashSet<>();

  private final Set<String> shown = new HashSet<>();

  /** Created by the compiler. */
  public RecordProcessor() {}

  @Override
  public Set<String> getSupportedAnnotationTypes() {
    return Set.of(Recordable.class.getName(), RecordSchema.class.getName());
  }

  @Override
  public Set<String> getSupportedOptions() {
    return Set.of(PROTO);
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latestSupported();
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    Set<String> names = new LinkedHashSet<>(waiting);
    waiting.clear();
    for (Class<? extends Annotation> annotation : List.of(Recordable.class, RecordSchema.class)) {
      round
          .getElementsAnnotatedWith(annotation)
          .forEach(element -> names.add(((TypeElement) element).getQualifiedName().toString()));
    }
    names.forEach(this::process);
    return false;
  }

  private void process(String name) {
    Elements elements = processingEnv.getElementUtils();
    TypeElement element = elements.getTypeElement(name);
    Problems problems = new Problems(processingEnv.getMessager(), shown);
    TypeReader types = new TypeReader(new ModelReader(elements, problems), problems);
    try {
      if (element.getAnnotation(Recordable.class) != null) {
        types.read(element).ifPresent(type -> problems.collect(() -> write(type)));
      }
      RecordSchema schema = element.getAnnotation(RecordSchema.class);
      if (schema != null) {
        new SchemaReader(types, problems)
            .read(element, schema.version())
            .ifPresent(
                members -> problems.collect(() -> write(element, schema.version(), members)));
      }
    } catch (NotYetException later) {
      waiting.add(name);
    } catch (Mistake mistake) {
      problems.report(mistake);
    }
  }

  private void write(TypeModel type) {
    Elements elements = processingEnv.getElementUtils();
    List<Files.Generated> files = new ArrayList<>();
    files.add(new FieldsWriter(elements, type).write());
    if (type.standsAlone()) {
      DirectoryPath path = DirectoryPath.of(type.element(), type.name(), List.of(type.record()));
      files.add(new StoreWriter(elements, type.element(), path).one(type));
    }
    files.forEach(file -> write(type.element(), file));
    proto(type.element(), List.of(type.spec()));
  }

  private void write(TypeElement element, int version, List<TypeModel> members) {
    List<RecordModel> records = members.stream().map(TypeModel::record).toList();
    String name = element.getSimpleName().toString();
    DirectoryPath path = DirectoryPath.of(element, name, records);
    write(
        element,
        new StoreWriter(processingEnv.getElementUtils(), element, path).several(version, members));
    proto(element, members.stream().map(TypeModel::spec).toList());
  }

  private void write(TypeElement element, Files.Generated file) {
    String name = file.target().qualifiedName();
    try (Writer out = processingEnv.getFiler().createSourceFile(name, element).openWriter()) {
      out.write(file.text());
    } catch (FilerException taken) {
      throw new Mistake(
          element,
          "%s would be generated for %s, but there is another class of that name. Rename one of them"
              .formatted(name, element.getSimpleName()));
    } catch (IOException failure) {
      throw new Mistake(element, "%s cannot be written: %s".formatted(name, failure));
    }
  }

  private void proto(TypeElement element, List<TypeSpec> types) {
    Optional<String> directory = Optional.ofNullable(processingEnv.getOptions().get(PROTO));
    if (directory.isEmpty()) {
      return;
    }
    String name = Files.target(processingEnv.getElementUtils(), element, "").qualifiedName();
    String file = "%s/%s.proto".formatted(directory.get(), name.replace('.', '/'));
    try (Writer out =
        processingEnv
            .getFiler()
            .createResource(StandardLocation.CLASS_OUTPUT, "", file, element)
            .openWriter()) {
      out.write(ProtoFile.of(types));
    } catch (IOException | IllegalArgumentException failure) {
      throw new Mistake(
          element,
          "%s cannot be written: %s. -A%s takes a directory within the class output, such as proto"
              .formatted(file, failure, PROTO));
    }
  }
}
