package dev.tidemark.records;

import dev.tidemark.records.codec.RecordCodec;
import dev.tidemark.records.codec.RecordReader;
import dev.tidemark.records.codec.RecordWriter;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.IndexSpec;
import dev.tidemark.records.schema.RecordType;
import dev.tidemark.records.schema.TypeSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record for tests of the store, with a codec written by hand. */
record Person(
    long id,
    @Nullable String email,
    @Nullable String city,
    @Nullable Integer age,
    long score,
    double weight,
    List<String> tags,
    @Nullable Address address,
    @Nullable Instant expires) {
  record Address(@Nullable String street, @Nullable String zip) {
    static final FieldType.Nested TYPE =
        new FieldType.Nested(
            "Address",
            List.of(
                new FieldSpec(1, "street", FieldType.Scalar.STRING, true),
                new FieldSpec(2, "zip", FieldType.Scalar.STRING, true)));
  }

  static final TypeSpec SPEC =
      TypeSpec.of(
          "Person",
          List.of(
              new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
              new FieldSpec(2, "email", FieldType.Scalar.STRING, true),
              new FieldSpec(3, "city", FieldType.Scalar.STRING, true),
              new FieldSpec(4, "age", FieldType.Scalar.INT, true),
              new FieldSpec(5, "score", FieldType.Scalar.LONG, false),
              new FieldSpec(6, "weight", FieldType.Scalar.DOUBLE, false),
              new FieldSpec(7, "tags", new FieldType.ListOf(FieldType.Scalar.STRING), false),
              new FieldSpec(8, "address", Address.TYPE, true),
              new FieldSpec(9, "expires", FieldType.Scalar.INSTANT, true)),
          List.of(1));

  static final RecordType<Person> TYPE = new RecordType<>(SPEC, Person.class, new Codec());

  static Person of(long id, @Nullable String city, @Nullable Integer age) {
    return new Person(
        id, "p" + id + "@example.com", city, age, id * 10, id / 2.0, List.of(), null, null);
  }

  Person withEmail(@Nullable String other) {
    return new Person(id, other, city, age, score, weight, tags, address, expires);
  }

  Person withCity(@Nullable String other) {
    return new Person(id, email, other, age, score, weight, tags, address, expires);
  }

  Person withAge(@Nullable Integer other) {
    return new Person(id, email, city, other, score, weight, tags, address, expires);
  }

  Person withScore(long other) {
    return new Person(id, email, city, age, other, weight, tags, address, expires);
  }

  Person withTags(String... other) {
    return new Person(id, email, city, age, score, weight, List.of(other), address, expires);
  }

  Person withAddress(@Nullable Address other) {
    return new Person(id, email, city, age, score, weight, tags, other, expires);
  }

  Person withExpires(@Nullable Instant other) {
    return new Person(id, email, city, age, score, weight, tags, address, other);
  }

  /** Finds a column of {@link #SPEC} by name; {@code "tags"} means each of its elements. */
  static ColumnSpec column(String name) {
    FieldSpec field = SPEC.field(name).orElseThrow();
    ColumnSpec.Part part =
        field.type() instanceof FieldType.ListOf ? ColumnSpec.Part.ELEMENTS : ColumnSpec.Part.WHOLE;
    return new ColumnSpec(List.of(new ColumnSpec.Step(field.number(), part)), false);
  }

  /** An index over these columns. */
  static IndexSpec index(String name, IndexKind kind, String... columns) {
    return IndexSpec.of(
        name, "Person", kind, List.of(columns).stream().map(Person::column).toList());
  }

  private static final class Codec implements RecordCodec<Person> {
    @Override
    public void write(Person person, RecordWriter out) {
      if (person.expires != null) {
        out.instant(9, person.expires);
      }
      if (person.address != null) {
        out.message(8, person.address, new AddressCodec());
      }
      person.tags.reversed().forEach(tag -> out.string(7, tag));
      out.float64(6, person.weight);
      out.sint(5, person.score);
      if (person.age != null) {
        out.sint(4, person.age);
      }
      if (person.city != null) {
        out.string(3, person.city);
      }
      if (person.email != null) {
        out.string(2, person.email);
      }
      out.sint(1, person.id);
    }

    @Override
    public Person read(RecordReader in) {
      long id = 0;
      String email = null;
      String city = null;
      Integer age = null;
      long score = 0;
      double weight = 0;
      List<String> tags = new ArrayList<>();
      Address address = null;
      Instant expires = null;
      for (int number = in.next(); number != 0; number = in.next()) {
        switch (number) {
          case 1 -> id = in.sint();
          case 2 -> email = in.string();
          case 3 -> city = in.string();
          case 4 -> age = in.int32();
          case 5 -> score = in.sint();
          case 6 -> weight = in.float64();
          case 7 -> tags.add(in.string());
          case 8 -> address = in.message(new AddressCodec());
          case 9 -> expires = in.instant();
          default -> in.skip();
        }
      }
      return new Person(id, email, city, age, score, weight, List.copyOf(tags), address, expires);
    }

    @Override
    public @Nullable Object get(Person person, int number) {
      return switch (number) {
        case 1 -> person.id;
        case 2 -> person.email;
        case 3 -> person.city;
        case 4 -> person.age;
        case 5 -> person.score;
        case 6 -> person.weight;
        case 7 -> person.tags;
        case 8 -> person.address;
        case 9 -> person.expires;
        default -> throw new IllegalArgumentException("Person has no field " + number);
      };
    }

    @Override
    public RecordCodec<?> nested(int number) {
      return number == 8 ? new AddressCodec() : RecordCodec.super.nested(number);
    }

    @Override
    public Person with(Person person, int number, @Nullable Object value) {
      return switch (number) {
        case 2 -> person.withEmail((String) value);
        case 3 -> person.withCity((String) value);
        case 4 -> person.withAge((Integer) value);
        default -> throw new IllegalArgumentException("Field " + number + " stays as it is");
      };
    }
  }

  private static final class AddressCodec implements RecordCodec<Address> {
    @Override
    public void write(Address address, RecordWriter out) {
      if (address.zip != null) {
        out.string(2, address.zip);
      }
      if (address.street != null) {
        out.string(1, address.street);
      }
    }

    @Override
    public Address read(RecordReader in) {
      String street = null;
      String zip = null;
      for (int number = in.next(); number != 0; number = in.next()) {
        switch (number) {
          case 1 -> street = in.string();
          case 2 -> zip = in.string();
          default -> in.skip();
        }
      }
      return new Address(street, zip);
    }

    @Override
    public @Nullable Object get(Address address, int number) {
      return switch (number) {
        case 1 -> address.street;
        case 2 -> address.zip;
        default -> throw new IllegalArgumentException("Address has no field " + number);
      };
    }

    @Override
    public Address with(Address address, int number, @Nullable Object value) {
      throw new IllegalArgumentException("Field " + number + " stays as it is");
    }
  }
}
