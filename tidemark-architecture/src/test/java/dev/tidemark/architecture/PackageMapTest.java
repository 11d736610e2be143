package dev.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The map of packages in docs/ARCHITECTURE.md is what the code says. */
class PackageMapTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "embedded",
        "remote",
        "pulse",
        "records",
        "changes",
        "partitions",
        "loader",
        "node"
      })
  void documentShowsThePackagesOf(String module) {
    assertDrawn(module, "dev.tidemark." + module + ".internal");
  }

  @Test
  void documentShowsThePackagesOfTheStore() {
    assertDrawn("kv", "dev.tidemark.kv");
  }

  @Test
  void documentShowsThePackagesOfTheTestkit() {
    assertDrawn("testkit", "dev.tidemark.testkit");
  }

  private static void assertDrawn(String module, String root) {
    String map = drawn(module, root);
    assertThat(Repository.read("docs/ARCHITECTURE.md").contains(map))
        .as("docs/ARCHITECTURE.md has to show this map:%n%s(end of map)", map)
        .isTrue();
  }

  /** A row for each package of {@code module} below {@code root}, with those of them it uses. */
  private static String drawn(String module, String root) {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass type : Repository.classesOf(module)) {
      String from = type.getPackageName();
      if (!(from + ".").startsWith(root + ".")) {
        continue;
      }
      Set<String> used = uses.computeIfAbsent(from, name -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String to = dependency.getTargetClass().getBaseComponentType().getPackageName();
        if ((to + ".").startsWith(root + ".") && !to.equals(from)) {
          used.add(shown(to, root));
        }
      }
    }
    StringBuilder rows = new StringBuilder("| package | uses |\n|---|---|\n");
    uses.forEach(
        (name, used) ->
            rows.append("| %s | %s |\n".formatted(shown(name, root), String.join(", ", used))));
    return rows.toString();
  }

  private static String shown(String name, String root) {
    String below =
        name.equals(root)
            ? root.substring(root.lastIndexOf('.') + 1)
            : name.substring(root.length() + 1);
    return "`" + below + "`";
  }
}
