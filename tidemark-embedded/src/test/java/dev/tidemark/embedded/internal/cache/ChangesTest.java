package dev.tidemark.embedded.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A cached row follows what a group of commits does to it, where the order of that is known. */
class ChangesTest {
  private static final byte[] KEY = {1, 2, 3};
  private static final byte[] OLD = {7};
  private static final byte[] NEW = {8};

  private final RowCache rows = new RowCache(1 << 20);
  private final Changes changes =
      new Changes(rows, new ScanCache(1 << 20), new Gaps(), cleared -> {});

  ChangesTest() {
    rows.put(KEY, OLD, 10);
  }

  @Test
  void rowIsReplacedByItsLastValue() {
    changes.written(KEY, OLD);
    changes.written(KEY, NEW);
    changes.tell(11, true);

    assertThat(rows.get(KEY, 11)).isEqualTo(NEW);
  }

  @Test
  void rowOfAGroupThatFailedIsDropped() {
    changes.written(KEY, NEW);
    changes.tell(11, false);

    assertThat(rows.get(KEY, 11)).isNull();
  }

  @Test
  void rowThatWasAlsoClearedIsDropped() {
    changes.written(KEY, NEW);
    changes.cleared(KEY);
    changes.tell(11, true);

    assertThat(rows.get(KEY, 11)).isNull();
  }

  @Test
  void rowThatIsAlsoInAClearedRangeIsDropped() {
    changes.written(KEY, NEW);
    changes.cleared(new byte[] {1}, new byte[] {2});
    changes.tell(11, true);

    assertThat(rows.get(KEY, 11)).isNull();
  }

  @Test
  void nextGroupBeginsAnew() {
    changes.written(KEY, OLD);
    changes.cleared(new byte[] {1}, new byte[] {2});
    changes.tell(11, true);
    rows.put(KEY, OLD, 11);
    changes.written(KEY, NEW);
    changes.tell(12, true);

    assertThat(rows.get(KEY, 12)).isEqualTo(NEW);
  }
}
