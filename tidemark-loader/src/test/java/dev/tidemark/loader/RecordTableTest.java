package dev.tidemark.loader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.records.changes.ChangeColumn;
import dev.tidemark.records.schema.FieldSpec;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.TypeSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordTableTest {
  private static final RecordTable TABLE =
      RecordTable.of(
          TypeSpec.of(
              "Account",
              List.of(
                  new FieldSpec(1, "id", FieldType.Scalar.LONG, false),
                  new FieldSpec(2, "owner", FieldType.Scalar.STRING, true)),
              List.of(1)));

  private static List<ChangeColumn> columns(String key, String other) {
    return List.of(
        new ChangeColumn(key, FieldType.Scalar.LONG, true, 1, 1),
        new ChangeColumn(other, FieldType.Scalar.STRING, false, 2, 2));
  }

  @Test
  void namesMayGoToAndFroWithinABatchAndTheColumnsStay() {
    RecordTable renamed = TABLE.with(columns("number", "holder"));
    RecordTable back = renamed.with(columns("id", "owner"));

    assertThat(renamed.hasColumnsOf(TABLE)).isTrue();
    assertThat(back.hasColumnsOf(renamed)).isTrue();
    assertThat(renamed.table().columns()).isEqualTo(TABLE.table().columns());
    assertThat(renamed.row(Map.of("number", 7L, "holder", "Ada"))).containsExactly(7L, "Ada");
    assertThat(renamed.unknown(Map.of("owner", "Ada"))).containsExactly("owner");
    assertThat(back.row(Map.of("id", 7L, "owner", "Ada"))).containsExactly(7L, "Ada");
  }

  @Test
  void newFieldIsAColumnMore() {
    RecordTable wider =
        TABLE.with(List.of(new ChangeColumn("city", FieldType.Scalar.STRING, false, 3, 3)));

    assertThat(wider.hasColumnsOf(TABLE)).isFalse();
    assertThat(wider.row(Map.of("id", 7L, "city", "Oslo"))).containsExactly(7L, null, "Oslo");
  }

  @Test
  void fieldThatIsLeftOutIsKnownByItsNewNameAndHasNoColumn() {
    RecordTable renamed = TABLE.without("owner").with(columns("id", "holder"));

    assertThat(renamed.hasColumnsOf(TABLE.without("owner"))).isTrue();
    assertThat(renamed.unknown(Map.of("id", 7L, "holder", "Ada"))).isEmpty();
    assertThat(renamed.row(Map.of("id", 7L, "holder", "Ada"))).containsExactly(7L);
  }
}
