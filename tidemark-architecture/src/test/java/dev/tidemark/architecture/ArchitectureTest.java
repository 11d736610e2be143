package dev.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The product keeps the rules. That each rule can fail, {@link RulesTest} shows. */
class ArchitectureTest {
  /** What a module may use beside itself, the JDK and JSpecify: our modules, and libraries. */
  private static final Map<String, List<String>> ARROWS =
      Map.ofEntries(
          Map.entry("kv", List.of()),
          Map.entry(
              "embedded", List.of("dev.tidemark.kv..", "org.rocksdb..", "io.micrometer.core..")),
          Map.entry("foundationdb", List.of("dev.tidemark.kv..", "com.apple.foundationdb..")),
          Map.entry(
              "records", List.of("dev.tidemark.kv..", "javax.crypto..", "io.micrometer.core..")),
          Map.entry(
              "records-processor",
              List.of(
                  "dev.tidemark.kv..",
                  "dev.tidemark.records..",
                  "javax.annotation.processing..",
                  "javax.lang.model..",
                  "javax.tools..")),
          Map.entry(
              "remote",
              List.of(
                  "dev.tidemark.kv..",
                  "dev.tidemark.grpc..",
                  "io.grpc..",
                  "com.google.protobuf..",
                  "io.micrometer.core..")),
          Map.entry(
              "testkit",
              List.of(
                  "dev.tidemark.kv..",
                  "org.junit..",
                  "org.assertj..",
                  "org.opentest4j..",
                  "javax.sql..",
                  "io.zonky.test..",
                  "com.google.gson..",
                  "com.google.protobuf..",
                  "com.google.spanner..",
                  "io.grpc..")),
          Map.entry("coordination", List.of("dev.tidemark.kv..")),
          Map.entry(
              "grpc",
              List.of(
                  "dev.tidemark.kv..", "io.grpc..", "com.google.protobuf..", "javax.net.ssl..")),
          Map.entry(
              "changes",
              List.of(
                  "dev.tidemark.kv..",
                  "dev.tidemark.coordination..",
                  "dev.tidemark.records..",
                  "io.micrometer.core..")),
          Map.entry(
              "changes-spanner",
              List.of(
                  "dev.tidemark.kv..",
                  "dev.tidemark.changes..",
                  "com.google.api.gax..",
                  "com.google.cloud..",
                  "com.google.gson..")),
          Map.entry(
              "partitions",
              List.of(
                  "dev.tidemark.kv..",
                  "dev.tidemark.coordination..",
                  "dev.tidemark.grpc..",
                  "io.grpc..",
                  "com.google.protobuf..",
                  "com.google.common.util.concurrent..",
                  "org.snakeyaml.engine..",
                  "io.micrometer.core..")),
          Map.entry(
              "partitions-etcd",
              List.of(
                  "dev.tidemark.kv..",
                  "dev.tidemark.coordination..",
                  "io.etcd..",
                  "io.grpc..",
                  "io.netty.handler.ssl..",
                  "javax.net.ssl..")),
          Map.entry(
              "loader",
              List.of(
                  "dev.tidemark.kv..",
                  "dev.tidemark.pulse..",
                  "dev.tidemark.records..",
                  "dev.tidemark.changes..",
                  "javax.sql..",
                  "org.duckdb..",
                  "org.postgresql..",
                  "io.micrometer.core..")),
          Map.entry(
              "loader-gcp",
              List.of(
                  "dev.tidemark.kv..",
                  "dev.tidemark.loader..",
                  "com.google.api.gax..",
                  "com.google.cloud..",
                  "com.google.protobuf..",
                  "com.google.pubsub.v1..",
                  "com.google.rpc..",
                  "io.grpc..")),
          Map.entry(
              "pulse",
              List.of("dev.tidemark.kv..", "dev.tidemark.coordination..", "io.micrometer.core..")),
          Map.entry(
              "pulse-testkit",
              List.of(
                  "dev.tidemark.kv..",
                  "dev.tidemark.pulse..",
                  "dev.tidemark.testkit..",
                  "org.junit..",
                  "org.assertj..",
                  "org.opentest4j..")),
          Map.entry(
              "pulse-redis",
              List.of(
                  "dev.tidemark.kv..",
                  "dev.tidemark.coordination..",
                  "dev.tidemark.pulse..",
                  "io.lettuce..",
                  "io.netty..",
                  "reactor..")),
          Map.entry(
              "all",
              List.of(
                  "dev.tidemark.kv..",
                  "dev.tidemark.embedded..",
                  "dev.tidemark.records..",
                  "dev.tidemark.pulse..",
                  "dev.tidemark.changes..",
                  "dev.tidemark.partitions..",
                  "dev.tidemark.loader..",
                  "dev.tidemark.grpc..",
                  "dev.tidemark.remote..")),
          Map.entry(
              "node",
              List.of(
                  "dev.tidemark.kv..",
                  "dev.tidemark.coordination..",
                  "dev.tidemark.embedded..",
                  "dev.tidemark.records..",
                  "dev.tidemark.pulse..",
                  "dev.tidemark.changes..",
                  "dev.tidemark.partitions..",
                  "dev.tidemark.loader..",
                  "dev.tidemark.grpc..",
                  "dev.tidemark.remote..",
                  "com.sun.net.httpserver..",
                  "picocli..",
                  "org.snakeyaml.engine..")),
          Map.entry(
              "chaos",
              List.of(
                  "dev.tidemark.kv..",
                  "dev.tidemark.coordination..",
                  "dev.tidemark.changes..",
                  "dev.tidemark.grpc..",
                  "dev.tidemark.partitions..",
                  "dev.tidemark.loader..",
                  "dev.tidemark.embedded..",
                  "dev.tidemark.remote..",
                  "dev.tidemark.records..",
                  "dev.tidemark.pulse..",
                  "dev.tidemark.testkit..",
                  "org.postgresql..",
                  "javax.sql..",
                  "org.rocksdb..")));

  /** The module of the one object that opens all layers, in the package above theirs. */
  private static final String WHOLE = "all";

  /** A program that nobody builds upon: no package of it is API, so none has to be internal. */
  private static final String BREAKER = "chaos";

  /** Packages that a module has beside its own: public ones by subject, and what engines share. */
  private static final Map<String, Set<String>> BESIDE =
      Map.of(
          "kv",
          Set.of(
              "dev.tidemark.kv.backup",
              "dev.tidemark.kv.copy",
              "dev.tidemark.kv.directory",
              "dev.tidemark.kv.spi",
              "dev.tidemark.kv.spi.commit",
              "dev.tidemark.kv.spi.scan",
              "dev.tidemark.kv.tuple"),
          "pulse",
          Set.of("dev.tidemark.pulse.pool"),
          "records",
          Set.of(
              "dev.tidemark.records.annotation",
              "dev.tidemark.records.changes",
              "dev.tidemark.records.codec",
              "dev.tidemark.records.maintenance",
              "dev.tidemark.records.query",
              "dev.tidemark.records.schema"),
          "testkit",
          Set.of(
              "dev.tidemark.testkit.check",
              "dev.tidemark.testkit.cluster",
              "dev.tidemark.testkit.conformance",
              "dev.tidemark.testkit.decorate",
              "dev.tidemark.testkit.faults",
              "dev.tidemark.testkit.junit",
              "dev.tidemark.testkit.model",
              "dev.tidemark.testkit.server",
              "dev.tidemark.testkit.spanner"));

  /** Modules without code, or that are measured or looked at and not built upon. */
  private static final Set<String> WITHOUT_ARROWS =
      Set.of("bom", "foundationdb-local", "bench", "architecture");

  /**
   * Classes that wait for or measure what really passes, where a clock moved by hand would be
   * wrong; and the one that is the machine's clock.
   */
  private static final Set<String> REAL_TIME =
      Set.of(
          "dev.tidemark.kv.spi.SystemTime",
          "dev.tidemark.embedded.internal.commit.CommitPipeline",
          "dev.tidemark.embedded.internal.commit.GroupCommit",
          "dev.tidemark.embedded.internal.commit.PendingCommit",
          "dev.tidemark.embedded.internal.storage.PublishedVersions",
          "dev.tidemark.records.query.CandidateTimes",
          "dev.tidemark.testkit.internal.Concurrently",
          "dev.tidemark.testkit.junit.LeakedThreads");

  private static final JavaClasses CLASSES = Repository.classes();

  @ParameterizedTest
  @MethodSource("arrows")
  void moduleUsesOnlyWhatItsArrowsAllow(String module, List<String> allowed) {
    JavaClasses classes = Repository.classesOf(module);
    assertThat(classes).as("classes of tidemark-" + module).isNotEmpty();

    // The package of the whole holds those of all modules; its arrows are of that package alone.
    String packages = module.equals(WHOLE) ? home(module) : home(module) + "..";
    Rules.arrows(packages, allowed.toArray(String[]::new)).check(classes);
  }

  private static String home(String module) {
    return module.equals(WHOLE) ? "dev.tidemark" : "dev.tidemark." + module.replace('-', '.');
  }

  static Stream<Arguments> arrows() {
    return ARROWS.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(arrow -> Arguments.of(arrow.getKey(), arrow.getValue()));
  }

  @Test
  void everyModuleHasItsArrowsWrittenDown() {
    Set<String> known = new TreeSet<>(ARROWS.keySet());
    known.addAll(WITHOUT_ARROWS);

    assertThat(Repository.modules()).containsExactlyInAnyOrderElementsOf(known);
  }

  @Test
  void moduleHasOnePublicPackageAndKnownOnesBesideIt() {
    Map<String, Set<String>> strays = new TreeMap<>();
    for (String module : ARROWS.keySet()) {
      if (module.equals(BREAKER)) {
        continue;
      }
      String home = home(module);
      for (JavaClass type : Repository.classesOf(module)) {
        String name = type.getPackageName();
        if (!name.equals(home)
            && !BESIDE.getOrDefault(module, Set.of()).contains(name)
            && !(name + ".").startsWith(home + ".internal.")) {
          strays.computeIfAbsent(module, key -> new TreeSet<>()).add(name);
        }
      }
    }
    assertThat(strays).isEmpty();
  }

  @Test
  void modulesDoNotNeedEachOther() {
    Rules.noCycles("dev.tidemark.(*)..").check(CLASSES);
  }

  @Test
  void internalPackagesDoNotNeedEachOther() {
    Rules.noCycles("dev.tidemark.(*).internal.(**)").allowEmptyShould(true).check(CLASSES);
  }

  @Test
  void packedElementsOfTheStoreKnowBytesAlone() {
    Rules.arrows("dev.tidemark.kv.internal..").check(Repository.classesOf("kv"));
  }

  @Test
  void internalPackagesOfConnectorsDoNotNeedEachOther() {
    Rules.noCycles("dev.tidemark.pulse.(redis).internal.(**)").check(CLASSES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bench", "chaos"})
  void runsDoNotNeedEachOther(String module) {
    Rules.noCycles("dev.tidemark." + module + ".(**)").check(Repository.classesOf(module));
  }

  @Test
  void packagesOfTheTestkitDoNotNeedEachOther() {
    Rules.noCycles("dev.tidemark.testkit.(**)").check(Repository.classesOf("testkit"));
  }

  @Test
  void packagesOfTheStoreDoNotNeedEachOther() {
    JavaClasses store = Repository.classesOf("kv");
    Rules.noCycles("dev.tidemark.kv.(**)").check(store);
    // The interfaces need what engines share, and nothing that is made on top of them.
    Rules.arrows("dev.tidemark.kv", "dev.tidemark.kv.internal..", "dev.tidemark.kv.spi..")
        .check(store);
  }

  @Test
  void poolsKnowOfPulseItsExceptionAndNoMore() {
    Rules.connectors(
            "dev.tidemark.pulse.pool",
            "dev.tidemark.pulse",
            "dev.tidemark.pulse.pool",
            "dev.tidemark.pulse.internal.common",
            "dev.tidemark.pulse.PulseException")
        .check(CLASSES);
  }

  @Test
  void publicPackagesOfRecordsDoNotNeedEachOther() {
    Rules.noCycles("dev.tidemark.records.(annotation|changes|codec|maintenance|query|schema)")
        .check(CLASSES);
  }

  @Test
  void connectorsOfPulseKnowWhatABackendOffersAndNoMore() {
    String internals = "dev.tidemark.pulse.internal";
    Rules.connectors(
            "dev.tidemark.pulse.redis..",
            internals,
            internals + ".spi",
            internals + ".common",
            internals + ".BackendPulse")
        .check(CLASSES);
  }

  @Test
  void internalClassesStayInTheirModule() {
    Rules.internalsStayInside(Layout.PRODUCT).check(CLASSES);
  }

  @Test
  void publicSignaturesShowNoInternalType() {
    Rules.signaturesShowNoInternals(Layout.PRODUCT).check(CLASSES);
  }

  @Test
  void publicSignaturesShowNoFuture() {
    Rules.signaturesShowNoFutures(Layout.PRODUCT).check(CLASSES);
  }

  @Test
  void everyPackageWrittenByHandIsNullMarked() {
    Rules.packagesAreNullMarked().check(CLASSES);
  }

  @Test
  void timeAndChanceComeFromOutside() {
    Rules.timeIsInjected(
            REAL_TIME,
            "dev.tidemark.node..",
            "dev.tidemark.bench..",
            "dev.tidemark.chaos..",
            "dev.tidemark.architecture..")
        .check(CLASSES);
  }
}
