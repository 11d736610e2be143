package dev.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every rule fails on code that breaks it, and on no more than that. */
class RulesTest {
  private static final String FIXTURES = "dev.tidemark.architecture.fixtures";
  private static final Layout LAYOUT = new Layout(FIXTURES);
  private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(FIXTURES);

  private static List<String> violations(ArchRule rule) {
    return rule.evaluate(CLASSES).getFailureReport().getDetails();
  }

  @Test
  void arrowUpwardsIsFound() {
    assertThat(violations(Rules.arrows(FIXTURES + ".kv..")))
        .isNotEmpty()
        .allMatch(violation -> violation.contains("Store.upwards"));
  }

  @Test
  void arrowThatIsAllowedIsNotFound() {
    assertThat(violations(Rules.arrows(FIXTURES + ".kv..", FIXTURES + ".embedded.."))).isEmpty();
  }

  @Test
  void cycleOfModulesIsFound() {
    assertThat(violations(Rules.noCycles(FIXTURES + ".(*)..")))
        .singleElement()
        .asString()
        .contains("Slice kv", "Slice embedded");
  }

  @Test
  void useOfAnotherModulesInternalsIsFoundAndOfSharedOnesIsNot() {
    assertThat(violations(Rules.internalsStayInside(LAYOUT)))
        .isNotEmpty()
        .allMatch(violation -> violation.contains("Records.reachesIn"))
        .anyMatch(violation -> violation.contains("internal.Pipeline"))
        .anyMatch(violation -> violation.contains("spi.Machinery"));
  }

  @Test
  void connectorThatGoesPastTheDoorsIsFound() {
    String internals = FIXTURES + ".kv.spi";
    assertThat(violations(Rules.connectors(FIXTURES + ".records..", internals)))
        .isNotEmpty()
        .allMatch(violation -> violation.contains("Records.reachesIn"));
    assertThat(violations(Rules.connectors(FIXTURES + ".records..", internals, internals)))
        .isEmpty();
    assertThat(
            violations(
                Rules.connectors(FIXTURES + ".records..", internals, internals + ".Machinery")))
        .isEmpty();
  }

  @Test
  void internalTypesInVisibleSignaturesAreFound() {
    assertThat(violations(Rules.signaturesShowNoInternals(LAYOUT)))
        .hasSize(2)
        .anyMatch(violation -> violation.contains("Store.leaks"))
        .anyMatch(violation -> violation.contains("Store.takes"));
  }

  @Test
  void futureInAPublicSignatureIsFound() {
    assertThat(violations(Rules.signaturesShowNoFutures(LAYOUT)))
        .singleElement()
        .asString()
        .contains("Store.sizeLater");
  }

  @Test
  void packageWithoutNullMarkedIsFound() {
    assertThat(violations(Rules.packagesAreNullMarked()))
        .singleElement()
        .asString()
        .contains(FIXTURES + ".unmarked");
  }

  @Test
  void everyUseOfTheMachinesClockAndChanceIsFound() {
    assertThat(violations(Rules.timeIsInjected(Set.of())))
        .hasSize(6)
        .allMatch(violation -> violation.contains("Engine."));
    assertThat(violations(Rules.timeIsInjected(Set.of(), FIXTURES + ".embedded.."))).isEmpty();
    assertThat(violations(Rules.timeIsInjected(Set.of(FIXTURES + ".embedded.Engine")))).isEmpty();
  }
}
