package dev.tidemark.records.processor;

import dev.tidemark.records.SchemaException;
import dev.tidemark.records.annotation.ChangeStream;
import dev.tidemark.records.internal.format.StreamRules;
import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.ChangeStreamSpec;
import dev.tidemark.records.schema.ChangeStreamSpec.Exclusion;
import dev.tidemark.records.schema.ChangeStreamSpec.Watched;
import dev.tidemark.records.schema.TypeSpec;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.TypeElement;

/** Reads the change streams of records and schemas, and writes them as Java expressions. */
final class StreamReader {
  private StreamReader() {}

  /** The streams that the record of {@code type} declares; they watch it alone. */
  static List<ChangeStreamSpec> of(TypeModel type) {
    return read(type.element(), List.of(type), true);
  }

  /** The streams of the schema {@code element}, and of its members. */
  static List<ChangeStreamSpec> of(TypeElement element, List<TypeModel> members) {
    List<ChangeStreamSpec> all = new ArrayList<>(read(element, members, false));
    members.forEach(member -> all.addAll(of(member)));
    Optional<AnnotationMirror> at =
        Annotations.all(element, ChangeStream.class, ChangeStream.All.class).stream().findFirst();
    try {
      StreamRules.check(all, specs(members));
    } catch (SchemaException wrong) {
      throw new Mistake(element, at.orElse(null), String.valueOf(wrong.getMessage()));
    }
    return all;
  }

  private static List<TypeSpec> specs(List<TypeModel> types) {
    return types.stream()
        .map(type -> type.spec(Component::name, List.of()))
        .collect(Collectors.toList());
  }

  private static List<ChangeStreamSpec> read(
      TypeElement element, List<TypeModel> types, boolean typeAlone) {
    List<ChangeStreamSpec> streams = new ArrayList<>();
    ChangeStream[] values = element.getAnnotationsByType(ChangeStream.class);
    List<AnnotationMirror> mirrors =
        Annotations.all(element, ChangeStream.class, ChangeStream.All.class);
    for (int i = 0; i < values.length; i++) {
      try {
        streams.add(stream(values[i], types, typeAlone));
        StreamRules.check(streams, specs(types));
      } catch (SchemaException wrong) {
        throw new Mistake(element, mirrors.get(i), String.valueOf(wrong.getMessage()));
      }
    }
    return streams;
  }

  private static ChangeStreamSpec stream(
      ChangeStream stream, List<TypeModel> types, boolean typeAlone) {
    List<Watched> watched = new ArrayList<>();
    for (String text : stream.watch()) {
      watched.add(Watched.parse(specs(types), text));
    }
    if (typeAlone && watched.isEmpty()) {
      watched.add(Watched.all(types.getFirst().name()));
    }
    return ChangeStreamSpec.of(stream.name())
        .withWatched(watched.toArray(Watched[]::new))
        .withCapture(stream.capture())
        .withExclusions(stream.exclude())
        .withOptOut(stream.optOut())
        .withRetention(retention(stream));
  }

  private static Duration retention(ChangeStream stream) {
    try {
      return Duration.parse(stream.retention());
    } catch (DateTimeParseException wrong) {
      throw new SchemaException(
          "The change stream '%s' has the retention '%s', which is no duration; write P7D or PT36H"
              .formatted(stream.name(), stream.retention()),
          wrong);
    }
  }

  // ---- Java

  /** The call that adds {@code streams} to a schema; empty if there are none. */
  static String with(Source source, List<ChangeStreamSpec> streams) {
    return streams.isEmpty()
        ? ""
        : "\n    .withStreams(%s)"
            .formatted(
                streams.stream()
                    .map(stream -> text(source, stream))
                    .collect(Collectors.joining(",\n        ")));
  }

  private static String text(Source source, ChangeStreamSpec stream) {
    String type = source.ours(ChangeStreamSpec.class);
    StringBuilder text =
        new StringBuilder("%s.of(%s)".formatted(type, JavaText.quoted(stream.name())));
    if (!stream.watched().isEmpty()) {
      text.append(
          ".withWatched(%s)"
              .formatted(
                  stream.watched().stream()
                      .map(watched -> text(source, type, watched))
                      .collect(Collectors.joining(", "))));
    }
    text.append(".withCapture(%s.%s)".formatted(source.ours(CaptureType.class), stream.capture()));
    if (!stream.exclusions().isEmpty()) {
      text.append(
          ".withExclusions(%s)"
              .formatted(
                  stream.exclusions().stream()
                      .map((Exclusion each) -> type + ".Exclusion." + each)
                      .collect(Collectors.joining(", "))));
    }
    if (stream.optOut()) {
      text.append(".withOptOut(true)");
    }
    return text.append(
            ".withRetention(%s.parse(%s))"
                .formatted(
                    source.name("java.time.Duration"),
                    JavaText.quoted(stream.retention().toString())))
        .toString();
  }

  private static String text(Source source, String type, Watched watched) {
    String name = JavaText.quoted(watched.type());
    if (watched.fields().isEmpty()) {
      return "%s.Watched.all(%s)".formatted(type, name);
    }
    String numbers =
        watched.fields().get().stream().map(String::valueOf).collect(Collectors.joining(", "));
    return "new %s.Watched(%s, %s.of(%s.of(%s)))"
        .formatted(
            type, name, source.name("java.util.Optional"), source.name("java.util.Set"), numbers);
  }
}
