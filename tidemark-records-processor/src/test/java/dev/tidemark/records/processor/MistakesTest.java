package dev.tidemark.records.processor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a record is said at compile time, where it is wrong. */
class MistakesTest {
  @Test
  void recordWithoutAPrimaryKeyIsRefused() {
    refused(
        2,
        "A has no primary key; mark the component that identifies a record with @PrimaryKey",
        """
        @Recordable
        record A(long id) {}
        """);
  }

  @Test
  void indexOverAnUnknownFieldIsRefusedAtTheIndex() {
    refused(
        3,
        "The column 'town' of A is wrong: there is no field 'town'; there are id, city",
        """
        @Recordable
        @Index(fields = "town")
        record A(@PrimaryKey long id, String city) {}
        """);
  }

  @Test
  void mistakeInOneOfSeveralIndexesSaysWhichOne() {
    refused(
        5,
        "The column 'nowhere' of A is wrong: there is no field 'nowhere'",
        """
        @Recordable
        @Index(fields = "city")
        @Index(fields = "nowhere")
        record A(@PrimaryKey long id, String city) {}
        """);
  }

  @ParameterizedTest
  @CsvSource({"float", "double", "Double", "BigDecimal"})
  void sumOfSomethingOtherThanAWholeNumberIsRefused(String type) {
    refused(
        3,
        "it must be byte, short, int or long",
        """
        @Recordable
        @Index(fields = "price", kind = IndexKind.SUM)
        record A(@PrimaryKey long id, %s price) {}
        """
            .formatted(type));
  }

  @Test
  void streamThatWatchesAnUnknownFieldIsRefusedAtTheStream() {
    refused(
        3,
        "watches the field 'town' of A, which has none",
        """
        @Recordable
        @ChangeStream(name = "all", watch = "A(town)")
        record A(@PrimaryKey long id, String city) {}
        """);
  }

  @Test
  void streamWithAWrongRetentionIsRefused() {
    refused(
        3,
        "'a week', which is no duration",
        """
        @Recordable
        @ChangeStream(name = "all", retention = "a week")
        record A(@PrimaryKey long id, String city) {}
        """);
  }

  @Test
  void twoStreamsOfOneNameAreRefused() {
    refused(
        5,
        "Two change streams are called 'all'",
        """
        @Recordable
        @ChangeStream(name = "all")
        @ChangeStream(name = "all")
        record A(@PrimaryKey long id, String city) {}
        """);
  }

  @Test
  void twoIndexesOfOneNameAreRefused() {
    refused(
        4,
        "Two indexes are called 'a_city'",
        """
        @Recordable
        @Index(fields = "city")
        @Unique(fields = "city")
        record A(@PrimaryKey long id, String city) {}
        """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "List<List<String>>        | collection of collections",
        "Map<String, Set<Integer>> | collection of collections",
        "Optional<List<String>>    | An empty collection says the same",
        "int[]                     | an array, which is not stored. Use List",
        "Object                    | java.lang.Object, which is not stored",
        "OptionalInt               | Use Optional<Integer>",
        "Collection<String>        | Use List or Set",
        "List                      | without the type of its elements",
        "List<?>                   | a collection of ?",
        "Set<byte[]>               | never equal",
        "Date                      | Use Instant",
        "ZonedDateTime             | Use Instant",
        "Thread                    | a record with the fields that matter",
        "Map<Double, String>       | keys are whole numbers",
        "List<Optional<String>>    | an Optional within another type",
      })
  void unsupportedTypeIsRefusedAtTheComponent(String type, String expected) {
    assertThat(unsupported(type).errors()).singleElement().asString().contains(expected);
  }

  private static Compilation unsupported(String type) {
    return Compilation.of(
        """
        @SuppressWarnings("rawtypes")
        @Recordable
        record A(
          @PrimaryKey long id,
          %s field) {}
        """
            .formatted(type));
  }

  @Test
  void numberThatIsReservedIsRefused() {
    refused(
        6,
        "The component 'second' of A has number 2, which is reserved",
        """
        @Recordable
        @Reserved({2, 7})
        record A(
          @PrimaryKey long id,
          String second,
          @Attribute(number = 3) String third) {}
        """);
    refused(
        8,
        "The component 'zip' of Place has number 7, which is reserved",
        """
        @Recordable
        record A(
          @PrimaryKey long id,
          Place place) {
          @Reserved(7)
          record Place(
            @Attribute(number = 7) String zip) {}
        }
        """);
  }

  @Test
  void numberThatIsUsedTwiceIsRefused() {
    refused(
        5,
        "The components 'first' and 'second' of A both have number 2",
        """
        @Recordable
        record A(@PrimaryKey long id,
          String first,
          @Attribute(number = 2) String second) {}
        """);
  }

  @Test
  void numberThatTheFormatDoesNotHaveIsRefused() {
    refused(
        4,
        "numbers go from 1 to",
        """
        @Recordable
        record A(@PrimaryKey long id,
          @Attribute(number = 19_500) String city) {}
        """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"List<String>", "Optional<String>", "Inner", "Map<String, String>"})
  void primaryKeyThatIsNotASingleValueIsRefused(String type) {
    refused(
        4,
        "is not a single value or can be empty",
        """
        @Recordable
        record A(
          @PrimaryKey %s id) {
          record Inner(int a) {}
        }
        """
            .formatted(type));
  }

  @Test
  void relationshipToAKeyOfAnotherTypeIsRefused() {
    refused(
        4,
        "A.other refers to B and holds INT; it must hold its primary key, one field of type LONG",
        """
        @Recordable
        record A(@PrimaryKey long id,
          @Relationship(to = B.class) int other) {}
        """,
        """
        @Recordable
        record B(@PrimaryKey long id) {}
        """);
  }

  @Test
  void relationshipThatBecomesNullNeedsAFieldThatCan() {
    refused(
        4,
        "cannot be null",
        """
        @Recordable
        record A(@PrimaryKey long id,
          @Relationship(to = B.class, onDelete = DeleteRule.NULLIFY) long other) {}
        """,
        """
        @Recordable
        record B(@PrimaryKey long id) {}
        """);
  }

  @Test
  void schemaWithoutTheTargetOfARelationshipIsRefused() {
    refused(
        2,
        "put both types into one @RecordSchema",
        """
        @RecordSchema(A.class)
        interface S {}
        """,
        """
        @Recordable
        record A(@PrimaryKey long id, @Relationship(to = B.class) long other) {}
        """,
        """
        @Recordable
        record B(@PrimaryKey long id) {}
        """);
  }

  @Test
  void expiryOfSomethingOtherThanAnInstantIsRefused() {
    refused(
        4,
        "@Ttl is on 'until', which is not a stored Instant",
        """
        @Recordable
        record A(@PrimaryKey long id,
          @Ttl LocalDate until) {}
        """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"a\", \"{tenantid}\"        | has a component 'tenantId', is that meant?",
        "\"a\", \"{no name}\"         | is not a Java name",
        "\"a\", \"x{tenantId}\"       | neither a name nor a whole {placeholder}",
        "\"{tenantId}\", \"{tenantId}\" | twice",
        "\"{price}\"                | has no name as text",
      })
  void directoryThatMakesNoSenseIsRefused(String path, String expected) {
    refused(
        3,
        expected,
        """
        @Recordable
        @Directory({%s})
        record A(@PrimaryKey long id, String tenantId, double price) {}
        """
            .formatted(path));
  }

  @Test
  void partitionThatIsTheWholePathIsRefused() {
    refused(
        3,
        "partition is 2, but the path has 2 names",
        """
        @Recordable
        @Directory(value = {"a", "b"}, partition = 2)
        record A(@PrimaryKey long id) {}
        """);
  }

  @Test
  void onlyRecordsAreRecordable() {
    refused(
        2,
        "A is not a record with @Recordable",
        """
        @Recordable
        class A {}
        """);
  }

  @Test
  void privateRecordIsRefused() {
    refused(
        4,
        "because A is not visible there",
        """
        class Outer {
          @Recordable
          private record A(@PrimaryKey long id) {}
        }
        """);
  }

  @Test
  void recordWithTypeParametersIsRefused() {
    refused(
        3,
        "has type parameters",
        """
        @Recordable
        record A<T>(@PrimaryKey long id) {}
        """);
  }

  @Test
  void recordThatContainsItselfIsRefused() {
    refused(
        4,
        "nests Node in itself",
        """
        @Recordable
        record A(@PrimaryKey long id, Node root) {
          record Node(List<Node> children) {}
        }
        """);
  }

  @Test
  void classWithTheNameOfAGeneratedOneIsRefused() {
    refused(
        3,
        "shop.AStore would be generated for A, but there is another class of that name",
        """
        @Recordable
        record A(@PrimaryKey long id) {}
        """,
        """
        class AStore {}
        """);
  }

  @Test
  void componentsWhoseHandlesWouldHaveOneNameAreRefused() {
    refused(
        4,
        "would both be called FOO_BAR",
        """
        @Recordable
        record A(@PrimaryKey long id, String fooBar,
          String foo_bar) {}
        """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "int           | x          | 'x' is not a value of type INT; write it such as 42",
        "byte          | 300        | from -128 to 127",
        "Instant       | tomorrow   | 2026-01-31T12:00:00Z",
        "LocalDate     | now        | 'now' is not a value of type DATE",
        "boolean       | yes        | true or false",
        "DayOfWeek     | HOLIDAY    | 'HOLIDAY' is not a constant of DayOfWeek; it has MONDAY",
        "List<String>  | a          | has a default but is a collection",
        "byte[]        | 00         | or an array",
      })
  void defaultOfAnotherTypeIsRefused(String type, String value, String expected) {
    refused(
        4,
        expected,
        """
        @Recordable
        record A(@PrimaryKey long id,
          @Default("%s") %s field) {}
        """
            .formatted(value, type));
  }

  @Test
  void defaultInAnElementOfACollectionIsRefused() {
    refused(
        4,
        "Defaults are filled in only in records that are components themselves",
        """
        @Recordable
        record A(@PrimaryKey long id,
          List<Line> lines) {
          record Line(@Default("1") Integer count) {}
        }
        """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "city == 'x'           | == stands where one of",
        "town = 'x'            | there is no field 'town'",
        "city = x              | write the value in single quotes",
        "age = '3'             | write the value without quotes",
        "age = 3 or age = 4    | or stands where 'and' or the end is expected",
        "city = null           | write 'is null'",
        "city is 3             | 3 stands where 'null' is expected",
        "age >                 | it ends where a value is expected",
        "day = 'HOLIDAY'       | is not a constant of DayOfWeek",
        "tags[] = 'x'          | has several values",
      })
  void filterThatMakesNoSenseIsRefused(String where, String expected) {
    refused(
        3,
        expected,
        """
        @Recordable
        @Index(fields = "city", where = "%s")
        record A(@PrimaryKey long id, String city, int age, DayOfWeek day, List<String> tags) {}
        """
            .formatted(where));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "tags        | 'tags' is a list; write tags[]",
        "labels      | labels.keys[] or labels.values[]",
        "labels[]    | labels.keys[] or labels.values[]",
        "city[]      | single value; write it without []",
        "city.x      | has no fields",
        "place       | take one of its fields: zip",
        "place.town  | there is no field 'town'; there are zip",
        "city down   | is not a name, or a name and 'desc'",
      })
  void columnThatIsNotASingleValueIsRefused(String column, String expected) {
    refused(
        3,
        expected,
        """
        @Recordable
        @Index(fields = "%s")
        record A(@PrimaryKey long id, String city, List<String> tags, Map<String, String> labels, Place place) {
          record Place(String zip) {}
        }
        """
            .formatted(column));
  }

  @Test
  void fieldOrderThatForgetsAComponentIsRefused() {
    refused(
        3,
        "@FieldOrder does not name city",
        """
        @Recordable
        @FieldOrder("id")
        record A(@PrimaryKey long id, String city) {}
        """);
  }

  @Test
  void transientPrimaryKeyIsRefused() {
    refused(
        3,
        "it must be stored",
        """
        @Recordable
        record A(@PrimaryKey @Transient long id) {}
        """);
  }

  @Test
  void allMistakesOfARecordAreSaidAtOnce() {
    assertThat(
            Compilation.of(
                    """
                    @Recordable
                    record A(@PrimaryKey long id,
                      Object one,
                      int[] two) {}
                    """)
                .errors())
        .hasSize(2)
        .anyMatch(error -> error.startsWith("4: "))
        .anyMatch(error -> error.startsWith("5: "));
  }

  @Test
  void mistakeOfATypeInASchemaIsSaidOnce() {
    refused(
        2,
        "A has no primary key",
        """
        @Recordable
        record A(long id) {}
        """,
        """
        @RecordSchema(A.class)
        interface S {}
        """);
  }

  @Test
  void missingTypeIsLeftToTheCompiler() {
    refused(
        3,
        "cannot find symbol",
        """
        @Recordable
        record A(@PrimaryKey long id, Missing missing) {}
        """);
  }

  private static void refused(int line, String expected, String... sources) {
    assertThat(Compilation.of(sources).errors())
        .singleElement()
        .asString()
        .startsWith(line + ": ")
        .contains(expected);
  }
}
