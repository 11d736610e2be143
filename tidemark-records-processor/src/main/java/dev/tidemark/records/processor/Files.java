package dev.tidemark.records.processor;

import java.util.List;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;

/** What generated files have in common. */
final class Files {
  private static final String GENERATED = "javax.annotation.processing.Generated";

  private Files() {}

  /**
   * A class to be generated beside another.
   *
   * @param visibility {@code "public "} where the other class is visible everywhere
   */
  record Target(String packageName, String simpleName, String visibility) {
    String qualifiedName() {
      return packageName.isEmpty() ? simpleName : packageName + "." + simpleName;
    }
  }

  /** A class that was generated. */
  record Generated(Target target, String text) {}

  /** The class called as {@code element} with {@code suffix} behind. */
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
   * Marks the class that follows as generated, if the annotation for that is there. A component may
   * be deprecated for those who write code; its bytes are read and written all the same.
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
