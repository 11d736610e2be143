package dev.tidemark.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a program can name of a module, a line for each type and for each member. */
final class PublicApi {
  /** Every record and every enum has these, and what they do is no matter of a list. */
  private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

  private static final Set<String> OF_EVERY_ENUM = Set.of("values", "valueOf");

  private PublicApi() {}

  /** The lines for those of {@code classes} that are API, in an order that does not change. */
  static List<String> of(JavaClasses classes, Layout layout) {
    List<String> lines = new ArrayList<>();
    classes.stream()
        .filter(type -> !layout.isInternal(type) && isVisible(type))
        .sorted(Comparator.comparing(JavaClass::getName))
        .forEach(
            type -> {
              lines.add(header(type));
              type.getMembers().stream()
                  .filter(member -> isListed(type, member))
                  .map(member -> "  " + line(member))
                  .sorted()
                  .forEach(lines::add);
            });
    return lines;
  }

  /** Whether a program in another package can name it. */
  static boolean isVisible(JavaClass type) {
    return isOpen(type.getModifiers())
        && !type.isAnonymousClass()
        && !type.isLocalClass()
        && type.getEnclosingClass().map(PublicApi::isVisible).orElse(true);
  }

  private static boolean isListed(JavaClass type, JavaMember member) {
    if (!isOpen(member.getModifiers())
        || member.getModifiers().contains(JavaModifier.SYNTHETIC)
        || member.getModifiers().contains(JavaModifier.BRIDGE)) {
      return false;
    }
    if (member.getModifiers().contains(JavaModifier.PROTECTED)
        && type.getModifiers().contains(JavaModifier.FINAL)) {
      return false;
    }
    return !OF_EVERY_OBJECT.contains(member.getName())
        && !(type.isEnum() && OF_EVERY_ENUM.contains(member.getName()))
        && !member.getName().equals("<clinit>");
  }

  private static boolean isOpen(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  private static String header(JavaClass type) {
    List<JavaType> above = new ArrayList<>();
    type.getSuperclass()
        .filter(parent -> !isOneOf(parent, Object.class, Record.class, Enum.class))
        .ifPresent(above::add);
    type.getInterfaces().stream().sorted(Comparator.comparing(PublicApi::name)).forEach(above::add);
    boolean isClass = !type.isInterface() && !type.isRecord() && !type.isEnum();
    return (isClass ? modifiers(type.getModifiers(), modifier -> true) : "")
        + kind(type)
        + " "
        + type.getName()
        + variables(type.getTypeParameters())
        + list(" : ", above, "");
  }

  private static boolean isOneOf(JavaType type, Class<?>... classes) {
    return Stream.of(classes).anyMatch(type.toErasure()::isEquivalentTo);
  }

  private static String kind(JavaClass type) {
    if (type.isAnnotation()) {
      return "annotation";
    }
    if (type.isInterface()) {
      return "interface";
    }
    return type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
  }

  private static String line(JavaMember member) {
    boolean inInterface = member.getOwner().isInterface();
    String modifiers =
        isDefault(member) ? "default " : modifiers(member.getModifiers(), modifier -> !inInterface);
    if (member instanceof JavaField field) {
      return modifiers + field.getName() + ": " + name(field.getType());
    }
    JavaCodeUnit code = (JavaCodeUnit) member;
    String called =
        code instanceof JavaConstructor
            ? "new"
            : code.getName() + variables(code.getTypeParameters());
    String result = code instanceof JavaConstructor ? "" : ": " + name(code.getReturnType());
    return modifiers
        + called
        + list("(", code.getParameterTypes(), ")")
        + (code.getParameterTypes().isEmpty() ? "()" : "")
        + result
        + list(" throws ", code.getExceptionTypes(), "");
  }

  private static boolean isDefault(JavaMember member) {
    return member instanceof JavaCodeUnit
        && member.getOwner().isInterface()
        && !member.getModifiers().contains(JavaModifier.ABSTRACT)
        && !member.getModifiers().contains(JavaModifier.STATIC);
  }

  /** Those modifiers that a caller or a heir has to do with; some go without saying. */
  private static String modifiers(Set<JavaModifier> all, Predicate<JavaModifier> isSaid) {
    return Stream.of(
            JavaModifier.PROTECTED, JavaModifier.STATIC, JavaModifier.ABSTRACT, JavaModifier.FINAL)
        .filter(all::contains)
        .filter(modifier -> modifier == JavaModifier.STATIC || isSaid.test(modifier))
        .map(modifier -> modifier.name().toLowerCase(Locale.ROOT) + " ")
        .collect(Collectors.joining());
  }

  private static String variables(List<? extends JavaTypeVariable<?>> variables) {
    if (variables.isEmpty()) {
      return "";
    }
    return variables.stream()
        .map(
            variable ->
                variable.getName()
                    + list(
                        " extends ",
                        variable.getUpperBounds().stream()
                            .filter(bound -> !isOneOf(bound, Object.class))
                            .toList(),
                        ""))
        .collect(Collectors.joining(", ", "<", ">"));
  }

  private static String list(String before, List<? extends JavaType> types, String after) {
    if (types.isEmpty()) {
      return "";
    }
    return types.stream().map(PublicApi::name).collect(Collectors.joining(", ", before, after));
  }

  private static String name(JavaType type) {
    if (type instanceof JavaClass plain && plain.isArray()) {
      return name(plain.getComponentType()) + "[]";
    }
    return type.getName().replaceAll("\\bjava\\.lang\\.(?=[A-Z])", "");
  }
}
