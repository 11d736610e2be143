package dev.tidemark.foundationdb;

import com.apple.foundationdb.record.RecordMetaData;
import com.apple.foundationdb.record.RecordMetaDataBuilder;
import com.apple.foundationdb.record.metadata.Index;
import com.apple.foundationdb.record.metadata.IndexTypes;
import com.apple.foundationdb.record.metadata.Key.Expressions;
import com.apple.foundationdb.record.metadata.expressions.GroupingKeyExpression;
import com.apple.foundationdb.record.metadata.expressions.VersionKeyExpression;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;

/** Records for Apple's Record Layer: orders, with an index of each kind. */
final class Orders {
  static final Index BY_PRICE = new Index("byPrice", Expressions.field("price"));
  static final Index COUNT =
      new Index(
          "count", new GroupingKeyExpression(Expressions.field("customer"), 0), IndexTypes.COUNT);
  static final Index SUM =
      new Index(
          "sum", Expressions.field("price").groupBy(Expressions.field("customer")), IndexTypes.SUM);
  static final Index RANK =
      new Index("rank", Expressions.field("price").ungrouped(), IndexTypes.RANK);
  static final Index VERSION =
      new Index("version", VersionKeyExpression.VERSION, IndexTypes.VERSION);
  static final Index TEXT = new Index("text", Expressions.field("note"), IndexTypes.TEXT);
  static final Index BY_CUSTOMER = new Index("byCustomer", Expressions.field("customer"));

  private static final FileDescriptor FILE = file();
  private static final Descriptor ORDER = FILE.findMessageTypeByName("Order");

  private Orders() {}

  private static FileDescriptor file() {
    DescriptorProto order =
        DescriptorProto.newBuilder()
            .setName("Order")
            .addField(field("id", 1, FieldDescriptorProto.Type.TYPE_INT64))
            .addField(field("customer", 2, FieldDescriptorProto.Type.TYPE_STRING))
            .addField(field("price", 3, FieldDescriptorProto.Type.TYPE_INT64))
            .addField(field("note", 4, FieldDescriptorProto.Type.TYPE_STRING))
            .build();
    DescriptorProto union =
        DescriptorProto.newBuilder()
            .setName("RecordTypeUnion")
            .addField(
                field("_Order", 1, FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName("Order"))
            .build();
    try {
      return FileDescriptor.buildFrom(
          FileDescriptorProto.newBuilder()
              .setName("orders.proto")
              .addMessageType(order)
              .addMessageType(union)
              .build(),
          new FileDescriptor[0]);
    } catch (DescriptorValidationException invalid) {
      throw new AssertionError(invalid);
    }
  }

  private static FieldDescriptorProto.Builder field(
      String name, int number, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(Label.LABEL_OPTIONAL);
  }

  /** The schema with all indexes but one. */
  static RecordMetaData metaData() {
    return builder().getRecordMetaData();
  }

  /** The next version of the schema, with {@link #BY_CUSTOMER}. */
  static RecordMetaData metaDataWithOneMoreIndex() {
    RecordMetaDataBuilder builder = builder();
    builder.addIndex("Order", BY_CUSTOMER);
    return builder.getRecordMetaData();
  }

  private static RecordMetaDataBuilder builder() {
    RecordMetaDataBuilder builder = RecordMetaData.newBuilder().setRecords(FILE);
    builder.setStoreRecordVersions(true);
    builder.getRecordType("Order").setPrimaryKey(Expressions.field("id"));
    for (Index index : new Index[] {BY_PRICE, COUNT, SUM, RANK, VERSION, TEXT}) {
      builder.addIndex("Order", index);
    }
    return builder;
  }

  static Message order(long id, String customer, long price, String note) {
    return DynamicMessage.newBuilder(ORDER)
        .setField(ORDER.findFieldByName("id"), id)
        .setField(ORDER.findFieldByName("customer"), customer)
        .setField(ORDER.findFieldByName("price"), price)
        .setField(ORDER.findFieldByName("note"), note)
        .build();
  }

  static long id(Message order) {
    return (Long) order.getField(order.getDescriptorForType().findFieldByName("id"));
  }
}
