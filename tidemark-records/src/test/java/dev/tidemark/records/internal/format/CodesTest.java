package dev.tidemark.records.internal.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.records.changes.ModType;
import dev.tidemark.records.maintenance.IndexState;
import dev.tidemark.records.schema.CaptureType;
import dev.tidemark.records.schema.ColumnSpec;
import dev.tidemark.records.schema.DeleteRule;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.IndexFilter;
import dev.tidemark.records.schema.IndexKind;
import dev.tidemark.records.schema.ZeroGroups;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The stored numbers of constants, which are part of the format. */
class CodesTest {
  private static <E extends Enum<E>> void assertStored(Codes<E> codes, int first, E[] constants) {
    assertThat(Arrays.stream(constants).map(codes::of))
        .doesNotHaveDuplicates()
        .contains(first, first + constants.length - 1);
    for (E constant : constants) {
      assertThat(codes.constant(codes.of(constant))).isEqualTo(constant);
      assertThat(codes.has(codes.of(constant))).isTrue();
    }
    assertThat(codes.has(first - 1)).isFalse();
    assertThat(codes.has(first + constants.length)).isFalse();
  }

  @Test
  void everyConstantHasACode() {
    assertStored(Codes.CAPTURE_TYPES, 0, CaptureType.values());
    assertStored(Codes.DELETE_RULES, 0, DeleteRule.values());
    assertStored(Codes.INDEX_KINDS, 1, IndexKind.values());
    assertStored(Codes.ZERO_GROUPS, 0, ZeroGroups.values());
    assertStored(Codes.MOD_TYPES, 0, ModType.values());
    assertStored(Codes.INDEX_STATES, 0, IndexState.values());
    assertStored(Codes.PARTS, 0, ColumnSpec.Part.values());
    assertStored(Codes.SCALARS, 1, FieldType.Scalar.values());
    assertStored(Codes.OPERATORS, 0, IndexFilter.Operator.values());
  }

  @Test
  void codesAreThoseOfStoresThatWereWrittenBefore() {
    assertThat(Codes.INDEX_KINDS.of(IndexKind.VALUE)).isEqualTo(1);
    assertThat(Codes.INDEX_KINDS.of(IndexKind.TEXT)).isEqualTo(13);
    assertThat(Codes.SCALARS.of(FieldType.Scalar.STRING)).isEqualTo(9);
    assertThat(Codes.SCALARS.of(FieldType.Scalar.DURATION)).isEqualTo(17);
    assertThat(Codes.CAPTURE_TYPES.of(CaptureType.NEW_ROW)).isEqualTo(2);
    assertThat(Codes.DELETE_RULES.of(DeleteRule.CASCADE)).isEqualTo(3);
    assertThat(Codes.INDEX_STATES.of(IndexState.READABLE)).isEqualTo(2);
    assertThat(Codes.OPERATORS.of(IndexFilter.Operator.GE)).isEqualTo(5);
    assertThat(Codes.PARTS.of(ColumnSpec.Part.KEYS)).isEqualTo(2);
    assertThat(Codes.MOD_TYPES.of(ModType.DELETE)).isEqualTo(2);
  }

  @Test
  void unknownCodeIsRefusedByName() {
    assertThatThrownBy(() -> Codes.INDEX_KINDS.constant(14))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("There is no kind of index 14");
  }
}
