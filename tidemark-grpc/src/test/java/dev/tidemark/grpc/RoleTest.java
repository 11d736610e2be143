package dev.tidemark.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoleTest {
  @ParameterizedTest
  @CsvSource({
    "READ, READ, true",
    "READ, WRITE, false",
    "WRITE, READ, true",
    "WRITE, OPERATOR, false",
    "OPERATOR, WRITE, true",
    "OPERATOR, NODE, false",
    "NODE, OPERATOR, true"
  })
  void roleIncludesItselfAndThoseBeforeIt(Role held, Role required, boolean included) {
    assertThat(held.includes(required)).isEqualTo(included);
  }
}
