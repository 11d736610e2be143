package dev.tidemark.records.processor;

import java.util.List;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;

/** The common parts of generated files. */
final class Files {
  private static final String GENERATED = "javax.annotation.processing.Generated";

  private Files() {}

  /**
   * A class to generate beside another one.
   *
   * @param visibility {@code "public "} if the other class is visible everywhere
   */
  record Target(String packageName, String simpleName, String visibility) {
    String qualifiedName() {
      return packageName.isEmpty() ? simpleName : packageName + "." + simpleName;
    }
  }

  /** A generated class. */
  record Generated(Target target, String text) {}

  /** The class with the name of {@code element} and {@code suffix}. */
  static Target target(Elements elements, TypeElement element, String suffix) {
    List<TypeElement> nesting = Names.nesting(element);
    List<String> names = nesting.stream().map(each -> each.getSimpleName().toString()).toList();
    boolean isPublic =
        nesting.stream().allMatch(each -> each.getModifiers().contains(Modifier.PUBLIC));
    return new Target(
        elements.getPackageOf(element).getQualifiedName().toString(),
        String.join("_", names) + suffix,
        isPublic ? "public " : "");
  }

  /**
   * Marks the next class as generated, if that annotation is available. The codec also reads and
   * writes deprecated components.
   */
  static void generated(Elements elements, Source source, TypeElement element) {
    if (elements.getTypeElement(elements.getModuleOf(element), GENERATED) != null) {
      source.line(
          "@%s(%s)"
              .formatted(source.name(GENERATED), JavaText.quoted(RecordProcessor.class.getName())));
    }
    source.line("@SuppressWarnings({\"deprecation\", \"removal\"})");
  }
}
