package dev.tidemark.records.processor;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldOptions;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.List;

/**
 * What the .proto file of a type means, told to protobuf's own library without its compiler. Fields
 * are proto2's optional ones, whose bytes are those of proto3's.
 */
final class ProtobufTypes {
  private final FileDescriptorProto.Builder file =
      FileDescriptorProto.newBuilder().setName("test.proto").setSyntax("proto2");

  private ProtobufTypes() {}

  static Descriptor of(TypeSpec type) throws DescriptorValidationException {
    ProtobufTypes types = new ProtobufTypes();
    types.pair(
        "Timestamp", FieldDescriptorProto.Type.TYPE_INT64, FieldDescriptorProto.Type.TYPE_INT32);
    types.pair(
        "Duration", FieldDescriptorProto.Type.TYPE_INT64, FieldDescriptorProto.Type.TYPE_UINT32);
    types.pair(
        "DateTime", FieldDescriptorProto.Type.TYPE_SINT64, FieldDescriptorProto.Type.TYPE_UINT64);
    types.pair(
        "Decimal", FieldDescriptorProto.Type.TYPE_BYTES, FieldDescriptorProto.Type.TYPE_SINT32);
    types.file.addMessageType(types.message(type.name(), type.fields()));
    return FileDescriptor.buildFrom(types.file.build(), new FileDescriptor[0])
        .findMessageTypeByName(type.name());
  }

  private void pair(
      String name, FieldDescriptorProto.Type first, FieldDescriptorProto.Type second) {
    file.addMessageType(
        DescriptorProto.newBuilder()
            .setName(name)
            .addField(scalar("first", 1, first))
            .addField(scalar("second", 2, second)));
  }

  private DescriptorProto.Builder message(String name, List<FieldSpec> fields) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
    for (FieldSpec field : fields) {
      message.addField(field(message, field.name(), field.number(), field.type()));
    }
    return message;
  }

  private FieldDescriptorProto.Builder field(
      DescriptorProto.Builder owner, String name, int number, FieldType type) {
    return switch (type) {
      case FieldType.Scalar scalar -> scalar(name, number, scalar);
      case FieldType.Constants constants -> constant(owner, name, number, constants);
      case FieldType.Nested nested ->
          nested(owner, name, number, message("T" + number, nested.fields()));
      case FieldType.ListOf list -> repeated(field(owner, name, number, list.element()));
      case FieldType.SetOf set -> repeated(field(owner, name, number, set.element()));
      case FieldType.MapOf map ->
          repeated(
              nested(
                  owner,
                  name,
                  number,
                  message(
                      "T" + number,
                      List.of(
                          new FieldSpec(1, "key", map.key(), false),
                          new FieldSpec(2, "value", map.value(), false)))));
    };
  }

  private static FieldDescriptorProto.Builder nested(
      DescriptorProto.Builder owner, String name, int number, DescriptorProto.Builder type) {
    owner.addNestedType(type);
    return scalar(name, number, FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName("T" + number);
  }

  private static FieldDescriptorProto.Builder constant(
      DescriptorProto.Builder owner, String name, int number, FieldType.Constants type) {
    EnumDescriptorProto.Builder constants = EnumDescriptorProto.newBuilder().setName("E" + number);
    for (int i = 0; i < type.constants().size(); i++) {
      constants.addValue(
          EnumValueDescriptorProto.newBuilder()
              .setName("E%d_%s".formatted(number, type.constants().get(i)))
              .setNumber(i));
    }
    owner.addEnumType(constants);
    return scalar(name, number, FieldDescriptorProto.Type.TYPE_ENUM).setTypeName("E" + number);
  }

  private static FieldDescriptorProto.Builder repeated(FieldDescriptorProto.Builder field) {
    boolean packed =
        switch (field.getType()) {
          case TYPE_STRING, TYPE_BYTES, TYPE_MESSAGE, TYPE_GROUP -> false;
          default -> true;
        };
    field.setLabel(FieldDescriptorProto.Label.LABEL_REPEATED);
    return packed ? field.setOptions(FieldOptions.newBuilder().setPacked(true)) : field;
  }

  private static FieldDescriptorProto.Builder scalar(
      String name, int number, FieldType.Scalar type) {
    return switch (type) {
      case BOOLEAN -> scalar(name, number, FieldDescriptorProto.Type.TYPE_BOOL);
      case BYTE, SHORT, INT -> scalar(name, number, FieldDescriptorProto.Type.TYPE_SINT32);
      case LONG, DATE -> scalar(name, number, FieldDescriptorProto.Type.TYPE_SINT64);
      case CHAR -> scalar(name, number, FieldDescriptorProto.Type.TYPE_UINT32);
      case FLOAT -> scalar(name, number, FieldDescriptorProto.Type.TYPE_FLOAT);
      case DOUBLE -> scalar(name, number, FieldDescriptorProto.Type.TYPE_DOUBLE);
      case STRING -> scalar(name, number, FieldDescriptorProto.Type.TYPE_STRING);
      case BYTES, UUID, BIG_INTEGER -> scalar(name, number, FieldDescriptorProto.Type.TYPE_BYTES);
      case DECIMAL ->
          scalar(name, number, FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(".Decimal");
      case INSTANT ->
          scalar(name, number, FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(".Timestamp");
      case DATE_TIME ->
          scalar(name, number, FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(".DateTime");
      case DURATION ->
          scalar(name, number, FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(".Duration");
    };
  }

  private static FieldDescriptorProto.Builder scalar(
      String name, int number, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
        .setType(type);
  }
}
