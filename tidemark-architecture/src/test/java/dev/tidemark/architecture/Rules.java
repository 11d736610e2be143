package dev.tidemark.architecture;

import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** The rules, each for any {@link Layout}, so that a test can show one that breaks it. */
final class Rules {
  /** Calls that make a program depend on the machine's clock or on chance. */
  private static final Map<String, Set<String>> CLOCK_AND_CHANCE =
      Map.of(
          "java.lang.System", Set.of("currentTimeMillis", "nanoTime"),
          "java.lang.Thread", Set.of("sleep"),
          "java.lang.Math", Set.of("random"),
          "java.time.Instant", Set.of("now"),
          "java.util.Random", Set.of("<init>"));

  private Rules() {}

  /** Classes in {@code packages} use only those in {@code allowed}, each other, and the JDK. */
  static ArchRule arrows(String packages, String... allowed) {
    String[] all =
        Stream.concat(Stream.of(packages, "java..", "org.jspecify.."), Stream.of(allowed))
            .toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(packages)
        .should()
        .onlyDependOnClassesThat(
            new DescribedPredicate<JavaClass>("are in " + String.join(", ", all)) {
              @Override
              public boolean test(JavaClass type) {
                JavaClass element = type.getBaseComponentType();
                return element.isPrimitive()
                    || JavaClass.Predicates.resideInAnyPackage(all).test(element);
              }
            });
  }

  /** No two modules, and no two packages within an internal one, need each other. */
  static ArchRule noCycles(String slices) {
    return slices().matching(slices).should().beFreeOfCycles();
  }

  /** An internal package is used by its own module only, or by those it is shared with. */
  static ArchRule internalsStayInside(Layout layout) {
    return classes()
        .should(
            new ArchCondition<JavaClass>("use no internal class of another module") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                  JavaClass target = dependency.getTargetClass().getBaseComponentType();
                  if (layout.holds(type) && !layout.mayUse(type, target)) {
                    events.add(violated(dependency, dependency.getDescription()));
                  }
                }
              }
            });
  }

  /**
   * Classes in {@code connectors} use those of {@code internals} only through {@code doors}, which
   * are names of packages or of classes.
   */
  static ArchRule connectors(String connectors, String internals, String... doors) {
    Set<String> open = Set.of(doors);
    return classes()
        .that()
        .resideInAPackage(connectors)
        .should(
            new ArchCondition<JavaClass>("use no more of " + internals + " than " + open) {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                  JavaClass target = dependency.getTargetClass().getBaseComponentType();
                  if ((target.getPackageName() + ".").startsWith(internals + ".")
                      && !open.contains(target.getPackageName())
                      && !open.contains(outermost(target).getName())) {
                    events.add(violated(dependency, dependency.getDescription()));
                  }
                }
              }
            });
  }

  /** What a caller sees of a public type is public. */
  static ArchRule signaturesShowNoInternals(Layout layout) {
    return classes().should(showNone(layout, "an internal type", layout::isInternal));
  }

  /** The API blocks; futures stay inside. */
  static ArchRule signaturesShowNoFutures(Layout layout) {
    return classes()
        .should(
            showNone(
                layout,
                "a future",
                type ->
                    type.isAssignableTo(CompletionStage.class)
                        || type.isAssignableTo(Future.class)));
  }

  private static ArchCondition<JavaClass> showNone(
      Layout layout, String what, Predicate<JavaClass> unwanted) {
    return new ArchCondition<>("not show " + what + " in a public signature") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        if (layout.holds(type) && !layout.isInternal(type) && isVisible(type)) {
          shown(type)
              .filter(shown -> unwanted.test(shown.type))
              .forEach(
                  shown ->
                      events.add(
                          violated(
                              type, shown.where + " shows " + what + ": " + shown.type.getName())));
        }
      }
    };
  }

  private record Shown(String where, JavaClass type) {}

  /** Every type that a user of {@code type} meets: in its header and in its visible members. */
  private static Stream<Shown> shown(JavaClass type) {
    Stream<JavaType> header =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
    return Stream.concat(
        header.flatMap(part -> named(type.getName(), part)),
        type.getMembers().stream()
            .filter(Rules::isVisible)
            .flatMap(member -> types(member).flatMap(part -> named(member.getFullName(), part))));
  }

  private static Stream<Shown> named(String where, JavaType type) {
    return type.getAllInvolvedRawTypes().stream()
        .map(raw -> new Shown(where, raw.getBaseComponentType()));
  }

  private static Stream<JavaType> types(JavaMember member) {
    if (member instanceof JavaField field) {
      return Stream.of(field.getType());
    }
    JavaCodeUnit code = (JavaCodeUnit) member;
    Stream<JavaType> thrown = code.getExceptionTypes().stream().map(JavaType.class::cast);
    return Stream.of(Stream.of(code.getReturnType()), code.getParameterTypes().stream(), thrown)
        .flatMap(part -> part);
  }

  private static boolean isVisible(JavaMember member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return !modifiers.contains(JavaModifier.SYNTHETIC)
        && (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED));
  }

  private static boolean isVisible(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(Rules::isVisible).orElse(true);
  }

  /** Null is said in the type, in every package. */
  static ArchRule packagesAreNullMarked() {
    return classes()
        .that()
        // What protobuf generates says nothing about null, and is used by its own module alone.
        .resideOutsideOfPackage("..internal.wire")
        .should(
            new ArchCondition<JavaClass>("be in a package that is @NullMarked") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                boolean marked =
                    type.getPackage().tryGetPackageInfo().stream()
                        .anyMatch(info -> info.isAnnotatedWith(NullMarked.class));
                if (!marked) {
                  events.add(
                      violated(
                          type,
                          type.getPackageName() + " needs a package-info.java with @NullMarked"));
                }
              }
            });
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(Rules::outermost).orElse(type);
  }

  /** Time and chance come from outside, so that a test can replay them. */
  static ArchRule timeIsInjected(Set<String> exemptClasses, String... exemptPackages) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(exemptPackages)
        .and(
            DescribedPredicate.describe(
                "are not " + exemptClasses,
                type -> !exemptClasses.contains(outermost(type).getName())))
        .should()
        .callCodeUnitWhere(
            new DescribedPredicate<JavaCall<?>>(
                "it is the machine's clock or its chance; take it from TimeSource") {
              @Override
              public boolean test(JavaCall<?> call) {
                AccessTarget.CodeUnitCallTarget target = call.getTarget();
                return CLOCK_AND_CHANCE
                    .getOrDefault(target.getOwner().getName(), Set.of())
                    .contains(target.getName());
              }
            });
  }
}
