package dev.tidemark.node.internal.command.serve;

import dev.tidemark.node.internal.console.Misuse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of a server in a file: lines of a name, a colon or an equals sign, and a value. The
 * names are those of the options. Paths are relative to the file.
 */
final class ConfigFile {
  static final String DIRECTORY = "directory";

  private final Path file;
  private final Map<String, String> values = new LinkedHashMap<>();

  private ConfigFile(Path file) {
    this.file = file;
  }

  /**
   * Reads {@code file}, in which these names may stand.
   *
   * @throws Misuse saying which line is wrong
   */
  static Map<String, String> read(Path file, List<String> names) {
    ConfigFile config = new ConfigFile(file);
    int number = 0;
    try {
      for (String line : Files.readAllLines(file)) {
        number++;
        String text = line.strip();
        if (!text.isEmpty() && !text.startsWith("#")) {
          config.add(number, text, names);
        }
      }
    } catch (IOException failure) {
      throw new Misuse("The file %s of --config cannot be read".formatted(file), failure);
    }
    return config.values;
  }

  private void add(int number, String text, List<String> names) {
    String[] parts = text.split("\\s*[:=]\\s*", 2);
    String where = "Line %d of %s".formatted(number, file);
    if (parts.length < 2) {
      throw new Misuse("%s is '%s'; a line is a name, a colon and a value".formatted(where, text));
    }
    String name = parts[0];
    if (!names.contains(name)) {
      throw new Misuse(
          "%s sets '%s', which is none of %s".formatted(where, name, String.join(", ", names)));
    }
    if (values.containsKey(name)) {
      throw new Misuse("%s sets %s again".formatted(where, name));
    }
    if (!ServeSettings.isSwitch(name)) {
      values.put(name, ServeSettings.isPath(name) ? resolved(parts[1]) : parts[1]);
    } else if (parts[1].equals("true")) {
      values.put(name, "");
    } else if (!parts[1].equals("false")) {
      throw new Misuse("%s: %s is true or false, not '%s'".formatted(where, name, parts[1]));
    }
  }

  private String resolved(String path) {
    return file.toAbsolutePath().resolveSibling(path).normalize().toString();
  }
}
