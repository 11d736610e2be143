package dev.tidemark.records.internal.format;

import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.codec.RecordWriter;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Fields in stored records that the schema of the program does not know, because a newer program
 * wrote them. They survive a save by the older one: in the record, and in records nested in it one
 * by one. In lists and maps nothing tells which element was which, so there they do not.
 */
public final class UnknownFields {
  private UnknownFields() {}

  /** {@code encoded} with the fields of {@code before} that are not among {@code fields}. */
  public static byte[] carryOver(List<FieldSpec> fields, byte[] before, byte[] encoded) {
    Map<Integer, FieldType> known = new HashMap<>();
    fields.forEach(field -> known.put(field.number(), field.type()));
    Map<Integer, byte[]> nestedBefore = new HashMap<>();
    List<byte[]> parts = new ArrayList<>();
    for (Segment segment : segments(before)) {
      FieldType type = known.get(segment.number());
      if (type == null) {
        parts.add(segment.whole());
      } else if (type instanceof FieldType.Nested) {
        nestedBefore.put(segment.number(), segment.content());
      }
    }
    List<byte[]> written = new ArrayList<>();
    for (Segment segment : segments(encoded)) {
      byte[] old = nestedBefore.get(segment.number());
      written.add(
          old != null && known.get(segment.number()) instanceof FieldType.Nested nested
              ? message(segment.number(), carryOver(nested.fields(), old, segment.content()))
              : segment.whole());
    }
    written.addAll(parts);
    return join(written);
  }

  /** One field of an encoded record: all of it, and what follows its length if it has one. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Segment(int number, byte[] whole, byte[] content) {}

  private static List<Segment> segments(byte[] encoded) {
    List<Segment> segments = new ArrayList<>();
    RecordReader in = new RecordReader(encoded);
    while (true) {
      int start = in.position();
      int number = in.next();
      if (number == 0) {
        return segments;
      }
      byte[] content = {};
      if (in.hasLength()) {
        content = in.bytes();
      } else {
        in.skip();
      }
      segments.add(new Segment(number, Arrays.copyOfRange(encoded, start, in.position()), content));
    }
  }

  private static byte[] message(int number, byte[] content) {
    RecordWriter out = new RecordWriter();
    out.bytes(number, content);
    return out.toByteArray();
  }

  private static byte[] join(List<byte[]> parts) {
    RecordWriter out = new RecordWriter();
    parts.reversed().forEach(out::raw);
    return out.toByteArray();
  }
}
