package dev.tidemark.records.processor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;

/** The text of a Java source file, which collects its imports. */
final class Source {
  private final Elements elements;
  private final String packageName;
  private final Map<String, String> known = new HashMap<>();
  private final TreeSet<String> imports = new TreeSet<>();
  private final StringBuilder body = new StringBuilder();
  private int depth;

  /**
   * An empty file.
   *
   * @param declared the simple names that the file itself declares
   */
  Source(Elements elements, String packageName, List<String> declared) {
    this.elements = elements;
    this.packageName = packageName;
    declared.forEach(name -> known.put(name, ""));
  }

  // ---- names of types

  /** The name of {@code type} in the file. */
  String name(TypeElement type) {
    List<TypeElement> nesting = Names.nesting(type);
    StringBuilder name = new StringBuilder(name(nesting.getFirst().getQualifiedName().toString()));
    nesting.stream().skip(1).forEach(each -> name.append('.').append(each.getSimpleName()));
    return name.toString();
  }

  /** The name of a top-level type of this library in the file. */
  String ours(Class<?> type) {
    return name(type.getName());
  }

  /** The name of the top-level type {@code qualified} in the file. */
  String name(String qualified) {
    int dot = qualified.lastIndexOf('.');
    String simple = qualified.substring(dot + 1);
    String home = dot < 0 ? "" : qualified.substring(0, dot);
    String before = known.putIfAbsent(simple, qualified);
    if (before != null && !before.equals(qualified)) {
      return qualified;
    }
    boolean sameName =
        home.equals("java.lang")
            && elements.getTypeElement(packageName.isEmpty() ? simple : packageName + "." + simple)
                != null;
    if (sameName) {
      return qualified;
    }
    if (!home.isEmpty() && !home.equals("java.lang") && !home.equals(packageName)) {
      imports.add(qualified);
    }
    return simple;
  }

  // ---- lines

  /** A line, or several with the same indentation before their own. */
  void line(String text) {
    String indentation = "  ".repeat(depth);
    body.append(indentation).append(text.replace("\n", "\n" + indentation)).append('\n');
  }

  void blank() {
    body.append('\n');
  }

  /** A line that begins a block. */
  void open(String text) {
    line(text + " {");
    depth++;
  }

  void close() {
    close("}");
  }

  void close(String text) {
    depth--;
    line(text);
  }

  /** {@code head} and what it is given, on a line of its own. */
  void assign(String head, String value) {
    line(head + " =\n    " + value.replace("\n", "\n    ") + ";");
  }

  /** A call with each argument on a line of its own. */
  static String call(String head, List<String> arguments) {
    String lines = String.join(",\n", arguments);
    return arguments.isEmpty()
        ? head + "()"
        : head + "(\n    " + lines.replace("\n", "\n    ") + ")";
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    if (!packageName.isEmpty()) {
      text.append("package ").append(packageName).append(";\n\n");
    }
    imports.forEach(name -> text.append("import ").append(name).append(";\n"));
    return text.append(imports.isEmpty() ? "" : "\n").append(body).toString();
  }
}
