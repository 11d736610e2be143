package dev.tidemark.records;

import dev.tidemark.records.query.CollectionField;
import dev.tidemark.records.query.Field;
import dev.tidemark.records.query.TextField;
import java.util.List;

/** The fields of {@link Person} as the processor would write them. */
final class PersonFields {
  static final Field<Person, Long> ID = Field.of(Person.SPEC, 1, Person::id);
  static final TextField<Person> EMAIL = Field.text(Person.SPEC, 2, Person::email);
  static final TextField<Person> CITY = Field.text(Person.SPEC, 3, Person::city);
  static final Field<Person, Integer> AGE = Field.of(Person.SPEC, 4, Person::age);
  static final Field<Person, Long> SCORE = Field.of(Person.SPEC, 5, Person::score);
  static final Field<Person, Double> WEIGHT = Field.of(Person.SPEC, 6, Person::weight);
  static final CollectionField<Person, List<String>, String> TAGS =
      Field.collection(Person.SPEC, 7, Person::tags);
  static final Field<Person, Person.Address> ADDRESS = Field.of(Person.SPEC, 8, Person::address);
  static final TextField<Person> ZIP =
      ADDRESS.then(Field.text(Person.Address.TYPE, 2, Person.Address::zip));

  private PersonFields() {}
}
