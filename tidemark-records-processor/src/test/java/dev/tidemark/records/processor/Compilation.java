package dev.tidemark.records.processor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A run of the compiler with the processor, in memory. */
final class Compilation {
  private static final Pattern DECLARED =
      Pattern.compile(
          "(?m)^(?:public )?(?:final )?(?:class|record|interface|enum|@interface) (\\w+)");

  private final Map<String, MemoryFile> outputs = new TreeMap<>();
  private final List<Diagnostic<? extends JavaFileObject>> diagnostics;

  private Compilation(List<JavaFileObject> sources, List<String> options) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> collector = new DiagnosticCollector<>();
    JavaFileManager files =
        new ForwardingJavaFileManager<JavaFileManager>(
            compiler.getStandardFileManager(collector, null, null)) {
          @Override
          public JavaFileObject getJavaFileForOutput(
              Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return output(name.replace('.', '/') + kind.extension, kind);
          }

          @Override
          public FileObject getFileForOutput(
              Location location, String packageName, String name, FileObject sibling) {
            return output(name, JavaFileObject.Kind.OTHER);
          }
        };
    JavaCompiler.CompilationTask task =
        compiler.getTask(new StringWriter(), files, collector, options, null, sources);
    task.setProcessors(List.of(new RecordProcessor()));
    task.call();
    diagnostics = collector.getDiagnostics();
  }

  /** Compiles top-level types of package {@code shop}; imports of the record layer are added. */
  static Compilation of(String... sources) {
    return of(List.of(), sources);
  }

  /** Compiles with further options of the compiler. */
  static Compilation of(List<String> further, String... sources) {
    List<String> options =
        new ArrayList<>(
            List.of("--release", "21", "-Xlint:all,-processing,-options,-classfile", "-Werror"));
    options.addAll(further);
    List<JavaFileObject> files = new ArrayList<>();
    for (String source : sources) {
      Matcher matcher = DECLARED.matcher(source);
      if (!matcher.find()) {
        throw new IllegalArgumentException("There is no type in " + source);
      }
      String text =
          "package shop; import dev.tidemark.records.*; import dev.tidemark.records.annotation.*; import dev.tidemark.records.schema.*; import java.util.*; import java.time.*; import java.math.*;\n"
              + source;
      MemoryFile file =
          new MemoryFile("shop/" + matcher.group(1) + ".java", JavaFileObject.Kind.SOURCE);
      file.bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
      files.add(file);
    }
    return new Compilation(files, options);
  }

  private MemoryFile output(String name, JavaFileObject.Kind kind) {
    MemoryFile file = new MemoryFile(name, kind);
    outputs.put(name, file);
    return file;
  }

  /** The errors as {@code line: message}; the sources of a test begin in line 2. */
  List<String> errors() {
    return diagnostics.stream()
        .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
        .map(diagnostic -> diagnostic.getLineNumber() + ": " + diagnostic.getMessage(null))
        .toList();
  }

  /** All that the compiler had to say. */
  List<String> messages() {
    return diagnostics.stream().map(Object::toString).toList();
  }

  /** A file that the compiler or the processor wrote. */
  String output(String name) {
    MemoryFile file = outputs.get(name);
    return file == null ? "" : file.bytes.toString(StandardCharsets.UTF_8);
  }

  List<String> outputs() {
    return List.copyOf(outputs.keySet());
  }

  /** The compiled class {@code name} of package {@code shop}. */
  Class<?> load(String name) throws ClassNotFoundException {
    Map<String, byte[]> classes = new HashMap<>();
    outputs.forEach((path, file) -> classes.put(path.replace('/', '.'), file.bytes.toByteArray()));
    return Class.forName(
        "shop." + name,
        true,
        new ClassLoader(Compilation.class.getClassLoader()) {
          @Override
          protected Class<?> findClass(String wanted) throws ClassNotFoundException {
            byte[] bytes = classes.get(wanted + ".class");
            if (bytes == null) {
              throw new ClassNotFoundException(wanted);
            }
            return defineClass(wanted, bytes, 0, bytes.length);
          }
        });
  }

  private static final class MemoryFile extends SimpleJavaFileObject {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    MemoryFile(String name, JavaFileObject.Kind kind) {
      super(URI.create("memory:///" + name), kind);
    }

    @Override
    public OutputStream openOutputStream() {
      bytes.reset();
      return bytes;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreErrors) throws IOException {
      return bytes.toString(StandardCharsets.UTF_8);
    }
  }
}
