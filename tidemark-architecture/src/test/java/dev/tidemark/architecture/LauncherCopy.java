package dev.tidemark.architecture;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A copy of the launcher on a machine of its own: JDKs and programs are scripts that show what they
 * are called with, and the directories in which a system has JDKs are below the copy.
 */
final class LauncherCopy {
  private final Path root;

  private LauncherCopy(Path root) {
    this.root = root;
  }

  /** A copy in {@code directory}, in place of an earlier one. */
  static LauncherCopy in(Path directory) throws IOException {
    LauncherCopy copy = new LauncherCopy(directory.toRealPath());
    Path launcher = copy.root.resolve("tidemark");
    Files.copy(Repository.root().resolve("tidemark"), launcher, COPY_ATTRIBUTES, REPLACE_EXISTING);
    Files.writeString(
        launcher,
        Repository.read("tidemark")
            .replaceAll(" /(usr|opt|Library)/", " " + copy.root + "/system/$1/"));
    // The one on the PATH is too old, whatever this machine has there.
    copy.program("javac", "echo javac 17.0.1");
    return copy;
  }

  /** Lets it look built, so that it starts programs at once. */
  LauncherCopy looksBuilt() throws IOException {
    for (String module : List.of("tidemark-node", "tidemark-changes-spanner")) {
      Files.createDirectories(root.resolve(module).resolve("target/classes"));
      Files.writeString(root.resolve(module).resolve("target/classpath"), root.toString());
      Files.createDirectories(root.resolve("target/launcher"));
      Files.writeString(root.resolve("target/launcher/" + module + ".stamp"), root.toString());
    }
    return this;
  }

  /** Makes a JDK of {@code version} in {@code path}. */
  Path jdk(String path, int version) throws IOException {
    Path jdk = root.resolve(path);
    executable(jdk.resolve("bin/java"), "printf '%s\\n' \"$@\"");
    executable(jdk.resolve("bin/javac"), "");
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"%d\"\n".formatted(version));
    return jdk;
  }

  /** Makes a program on the PATH. */
  LauncherCopy program(String name, String script) throws IOException {
    executable(root.resolve("bin").resolve(name), script);
    return this;
  }

  /** Makes a program of the repository. */
  LauncherCopy script(String name, String script) throws IOException {
    executable(root.resolve(name), script);
    return this;
  }

  /** Runs the launcher. */
  Launcher run(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return answer(call(environment, arguments).redirectErrorStream(true));
  }

  /** Runs the launcher for a script, which reads its standard output alone. */
  Launcher runForScript(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return answer(call(environment, arguments).redirectError(root.resolve("errors.log").toFile()));
  }

  private ProcessBuilder call(Map<String, String> environment, String... arguments) {
    List<String> line = new ArrayList<>(List.of(root.resolve("tidemark").toString()));
    line.addAll(List.of(arguments));
    ProcessBuilder command = new ProcessBuilder(line);
    Map<String, String> variables = command.environment();
    variables.remove("JAVA_HOME");
    variables.remove("TIDEMARK_JAVA_OPTS");
    variables.remove("MAVEN_OPTS"); // set by the launcher that runs these tests
    variables.put("HOME", root.toString());
    variables.put("PATH", root.resolve("bin") + ":" + variables.get("PATH"));
    variables.putAll(environment);
    return command;
  }

  private static Launcher answer(ProcessBuilder command) throws IOException, InterruptedException {
    Process process = command.start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Launcher(process.waitFor(), text);
  }

  private static void executable(Path file, String script) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
