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
 * Preserves fields that a newer program wrote when an older one, whose schema does not have them,
 * saves the record. They survive in the record and in records that are its components, but not in
 * lists and maps, whose elements cannot be matched.
 */
public final class UnknownFields {
  private UnknownFields() {}

  /** {@code encoded} with the fields of {@code before} that {@code fields} does not contain. */
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

  /** One field of an encoded record: all its bytes, and its content if it is length-delimited. */
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
