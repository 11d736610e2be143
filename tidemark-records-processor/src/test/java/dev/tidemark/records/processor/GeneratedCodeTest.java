package dev.tidemark.records.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.records.codec.RecordWriter;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.ProtoFile;
import dev.tidemark.records.schema.Schema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the processor writes compiles without a warning, whatever names are in the way. */
class GeneratedCodeTest {
  @Test
  void namesOfTheLanguageAndOfTheLibraryDoNotGetInTheWay() throws Exception {
    Compilation run =
        Compilation.of(
            """
            @Recordable
            public record Field(@PrimaryKey long id, int in, int out, long record, int number,
                int end, String value, java.util.List<Integer> i, Map<String, Integer> key, String type,
                String schema, Boolean spec, Character indexes, List list, Integer entry, Instant now) {
              @Deprecated public Integer entry() { return entry; }
              public record List(int part, int outer) {}
            }
            """,
            """
            class Long {}
            """);

    assertThat(run.messages()).isEmpty();
    assertThat(run.load("Field_").getDeclaredField("TYPE_").getName()).isEqualTo("TYPE_");
  }

  @Test
  void lineEndsInDefaultsBecomeCode() throws Exception {
    Compilation run =
        Compilation.of(
            """
            @Recordable(name = "li\\rne")
            @Index(name = "some", fields = "id", where = "text = 'a\\r\\nb'")
            public record A(@PrimaryKey long id, @Default("x\\r\\n\\ty") String text,
                @Default("\\r") char end) {}
            """);

    assertThat(run.messages()).isEmpty();
    Schema schema = (Schema) run.load("A_").getField("SCHEMA").get(null);
    assertThat(CodecTest.decode(schema.types().getFirst(), new byte[0]).toString())
        .contains("text=x\r\n\ty, end=\r");
  }

  @Test
  void recordsMayBeCalledLikeMethodsOfEveryObject() {
    Compilation run =
        Compilation.of(
            """
            @RecordSchema({Notify.class, Clone.class, ToString.class})
            public interface Shop {}
            """,
            "@Recordable\npublic record Notify(@PrimaryKey long id) {}",
            "@Recordable\npublic record Clone(@PrimaryKey long id) {}",
            "@Recordable\npublic record ToString(@PrimaryKey long id) {}");

    assertThat(run.messages()).isEmpty();
  }

  @Test
  void componentsMayBeCalledLikeLocalVariablesOfTheCode() {
    Compilation run =
        Compilation.of(
            "@Recordable\n"
                + "public record Train(@PrimaryKey long id, String in, String in_, String out__,"
                + " String out_) {}");

    assertThat(run.messages()).isEmpty();
  }

  /** An absent value is made only for an entry that has none: its class may refuse it. */
  @Test
  void mapOfRecordsThatRefuseNullIsRead() throws Exception {
    Compilation run =
        Compilation.of(
            """
            @Recordable
            public record Cart(@PrimaryKey long id, Map<String, Line> lines) {
              public record Line(String product) {
                public Line { Objects.requireNonNull(product); }
              }
            }
            """);
    RecordWriter out = new RecordWriter();
    int entry = out.size();
    int line = out.size();
    out.string(1, "tea");
    out.length(2, line);
    out.string(1, "first");
    out.length(2, entry);
    out.sint(1, 5);

    assertThat(run.messages()).isEmpty();
    Schema schema = (Schema) run.load("Cart_").getField("SCHEMA").get(null);
    assertThat(CodecTest.decode(schema.types().getFirst(), out.toByteArray()).toString())
        .contains("lines={first=Line[product=tea]}");
  }

  @Test
  void recordInAClassIsCalledAsItsClassAndItself() {
    Compilation run =
        Compilation.of(
            """
            public interface Outer {
              @Recordable
              record Inner(@PrimaryKey String id, Kind kind) {}
              enum Kind { A, B }
            }
            """);

    assertThat(run.messages()).isEmpty();
    assertThat(run.outputs()).contains("shop/Outer_Inner_.java", "shop/Outer_InnerStore.java");
  }

  @Test
  void numbersComeFromPlaceOrderAndAttribute() throws Exception {
    Compilation run =
        Compilation.of(
            """
            @Recordable
            public record A(@PrimaryKey long id, @Transient int skipped, String city,
                @Attribute(number = 9, name = "mail") String email) {}
            """,
            """
            @Recordable
            @FieldOrder({"city", "id"})
            public record B(@PrimaryKey long id, String city) {}
            """);

    assertThat(run.messages()).isEmpty();
    assertThat(fields(run, "A")).containsExactly("1 id", "3 city", "9 mail");
    assertThat(fields(run, "B")).containsExactly("1 city", "2 id");
  }

  private static List<String> fields(Compilation run, String type) throws Exception {
    Schema schema = (Schema) run.load(type + "_").getField("SCHEMA").get(null);
    return schema.types().getFirst().spec().fields().stream()
        .map(field -> field.number() + " " + field.name())
        .toList();
  }

  @Test
  void filtersAndDefaultsOfAllTypesBecomeCode() throws Exception {
    Compilation run =
        Compilation.of(
            """
            @Recordable(name = "thing", version = 3)
            @Index(name = "some", fields = "id", since = 2, zeroGroups = ZeroGroups.KEEP, where =
                "bool = true and number < 5 and real >= -1.5 and text != 'it''s' and time > '2026-01-31T12:00:00Z'"
                + " and day = 'MONDAY' and uuid = '123e4567-e89b-12d3-a456-426614174000'"
                + " and decimal = 1.50 and bytes = '00ff' and other is not null")
            public record A(
                @PrimaryKey long id,
                @Default("true") Boolean bool,
                @Default("-5") Byte number,
                @Default("NaN") double real,
                @Default("1.5") Float small,
                @Default("say \\"hi\\" \\\\ é") String text,
                @Default("2026-01-31T12:00:00Z") Instant time,
                @Default("SUNDAY") DayOfWeek day,
                @Default("123e4567-e89b-12d3-a456-426614174000") UUID uuid,
                @Default("1.50") BigDecimal decimal,
                @Default("123456789012345678901234567890") BigInteger big,
                byte[] bytes,
                @Default("'") char letter,
                @Default("2026-01-31") LocalDate date,
                @Default("2026-01-31T10:00") LocalDateTime local,
                @Default("PT1H") Duration duration,
                String other) {}
            """);

    assertThat(run.messages()).isEmpty();
    Schema schema = (Schema) run.load("A_").getField("SCHEMA").get(null);
    assertThat(schema.version()).isEqualTo(3);
    assertThat(schema.indexes().getFirst().since()).isEqualTo(2);
    assertThat(schema.indexes().getFirst().filter().comparisons())
        .hasSize(10)
        .extracting(IndexFilter.Comparison::operand)
        .contains(true, 5L, -1.5, "it's", 0L);
    Object oldest = CodecTest.decode(schema.types().getFirst(), new byte[0]);
    assertThat(oldest.toString())
        .contains("bool=true, number=-5, real=NaN, small=1.5, text=say \"hi\" \\ é")
        .contains("decimal=1.50, big=123456789012345678901234567890")
        .contains("letter=', date=2026-01-31, local=2026-01-31T10:00, duration=PT1H");
  }

  @Test
  void relationshipsMakeATypePartOfASchema() {
    Compilation run =
        Compilation.of(
            """
            @RecordSchema(value = {Boss.class, Worker.class}, version = 4)
            public interface Firm {}
            """,
            """
            @Recordable
            public record Boss(@PrimaryKey String name, @Relationship(to = Boss.class, onDelete = DeleteRule.NULLIFY) String over) {}
            """,
            """
            @Recordable
            public record Worker(@PrimaryKey long id, @Relationship(to = Boss.class) List<String> bosses) {}
            """);

    assertThat(run.messages()).isEmpty();
    assertThat(run.outputs())
        .contains("shop/FirmStore.class", "shop/BossStore.class", "shop/Worker_.class")
        .doesNotContain("shop/WorkerStore.class");
  }

  @Test
  void typesThatAreCompiledAlreadyCanJoinASchema() {
    Compilation run =
        Compilation.of(
            """
            @RecordSchema(dev.tidemark.records.processor.User.class)
            @Directory({"{id}", "{city}"})
            public interface Firm {}
            """);

    assertThat(run.messages()).isEmpty();
    assertThat(run.output("shop/FirmStore.java"))
        .contains("User_.TYPE")
        .contains("long id,\n      String city,");
  }

  @Test
  void emptyRecordIsStored() {
    assertThat(
            Compilation.of(
                    """
                    @Recordable
                    public record A(@PrimaryKey long id, Nothing nothing) {
                      public record Nothing() {}
                    }
                    """)
                .messages())
        .isEmpty();
  }

  @Test
  void protoFileIsWrittenIntoTheDirectoryOfTheOption() throws IOException {
    assertThat(proto("User.proto")).isEqualTo(USER_PROTO);
    assertThat(ProtoFile.of(User_.SCHEMA)).isEqualTo(USER_PROTO);
    assertThat(proto("Shop.proto"))
        .contains("message Customer {\n", "message Order {\n", "  repeated Line lines = 4;\n");
    assertThat(proto("Everything.proto"))
        .contains(
            "    map<sint64, TidemarkDateTime> times = 7;\n",
            "    repeated DaysEntry days = 3;\n",
            "message TidemarkDecimal {\n");
  }

  @Test
  void protoFilesOfRecordsOfTheSameSimpleNameAreTwo() {
    Compilation run =
        Compilation.of(
            List.of("-Atidemark.proto=proto"),
            """
            public class Cart {
              @Recordable
              public record Item(@PrimaryKey long id) {}
            }
            """,
            """
            public class Shelf {
              @Recordable
              public record Item(@PrimaryKey String name) {}
            }
            """);
    assertThat(run.messages()).isEmpty();
    assertThat(run.output("proto/shop/Cart_Item.proto")).contains("id = 1;");
    assertThat(run.output("proto/shop/Shelf_Item.proto")).contains("name = 1;");
  }

  private static String proto(String name) throws IOException {
    String file = "/proto/dev/tidemark/records/processor/" + name;
    try (InputStream in = GeneratedCodeTest.class.getResourceAsStream(file)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static final String USER_PROTO =
      """
      syntax = "proto3";

      import "google/protobuf/timestamp.proto";

      message User {
        enum Status {
          STATUS_OPEN = 0;
          STATUS_CLOSED = 1;
        }
        message Address {
          optional string street = 1;
          optional string zip = 2;
          optional string country = 3;
        }
        optional sint64 id = 1;
        optional string email = 2;
        optional string city = 3;
        optional sint32 age = 4;
        optional Status status = 5;
        optional google.protobuf.Timestamp created_at = 6;
        optional Address address = 7;
        repeated string tags = 8;
        map<string, sint32> labels = 9;
        optional string nickname = 10;
        optional google.protobuf.Timestamp last_seen = 11;
      }
      """;
}
