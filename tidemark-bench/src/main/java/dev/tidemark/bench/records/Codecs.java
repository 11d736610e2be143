package dev.tidemark.bench.records;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import dev.tidemark.bench.internal.wire.UserMessage;
import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.codec.RecordWriter;
import java.io.IOException;
import java.time.Instant;

/**
 * Three ways to turn a user into bytes and back. Each begins with the values of the fields, makes
 * the object that it has for them, and in the end has read every field of another one.
 */
final class Codecs {
  private static final RecordCodec<User> CODEC = User_.TYPE.codec();

  private final ObjectWriter jsonWriter;
  private final ObjectReader jsonReader;

  Codecs() {
    // A moment as a number of milliseconds is the cheapest that JSON can do.
    SimpleModule moments =
        new SimpleModule()
            .addSerializer(Instant.class, new InstantWriter())
            .addDeserializer(Instant.class, new InstantReader());
    ObjectMapper mapper = new ObjectMapper().registerModule(moments);
    jsonWriter = mapper.writerFor(User.class);
    jsonReader = mapper.readerFor(User.class);
  }

  static long tidemark(User from) {
    byte[] bytes = encode(copy(from));
    return sum(CODEC.read(new RecordReader(bytes)));
  }

  static byte[] encode(User user) {
    RecordWriter out = new RecordWriter();
    CODEC.write(user, out);
    return out.toByteArray();
  }

  long jackson(User from) throws IOException {
    byte[] bytes = jsonWriter.writeValueAsBytes(copy(from));
    return sum(jsonReader.<User>readValue(bytes));
  }

  static long protobuf(User from) throws InvalidProtocolBufferException {
    byte[] bytes = message(from).toByteArray();
    UserMessage read = UserMessage.parseFrom(bytes);
    return sum(
        read.getUserId(),
        read.getEmail(),
        read.getCity(),
        read.getAge(),
        Instant.ofEpochSecond(read.getCreatedAt().getSeconds(), read.getCreatedAt().getNanos()));
  }

  static UserMessage message(User user) {
    return UserMessage.newBuilder()
        .setUserId(user.userId())
        .setEmail(user.email())
        .setCity(user.city())
        .setAge(user.age())
        .setCreatedAt(timestamp(user.createdAt()))
        .build();
  }

  private static Timestamp timestamp(Instant moment) {
    return Timestamp.newBuilder()
        .setSeconds(moment.getEpochSecond())
        .setNanos(moment.getNano())
        .build();
  }

  private static User copy(User user) {
    return new User(user.userId(), user.email(), user.city(), user.age(), user.createdAt());
  }

  static long sum(User user) {
    return sum(user.userId(), user.email(), user.city(), user.age(), user.createdAt());
  }

  private static long sum(long userId, String email, String city, int age, Instant createdAt) {
    return userId + email.length() + city.length() + age + createdAt.getEpochSecond();
  }

  private static final class InstantWriter extends StdScalarSerializer<Instant> {
    InstantWriter() {
      super(Instant.class);
    }

    @Override
    public void serialize(Instant value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeNumber(value.toEpochMilli());
    }
  }

  private static final class InstantReader extends StdScalarDeserializer<Instant> {
    InstantReader() {
      super(Instant.class);
    }

    @Override
    public Instant deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return Instant.ofEpochMilli(in.getLongValue());
    }
  }
}
