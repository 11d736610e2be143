package dev.tidemark.remote.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private final Patience patience = new Patience();

  private @Nullable String after(int ticks, Patience.Look look) {
    String why = null;
    for (int i = 0; i < ticks; i++) {
      assertThat(why).isNull();
      why = patience.lostWith(look);
    }
    return why;
  }

  @Test
  void clientThatDoesNotGreetIsLostOnce() {
    Patience.Look silent = new Patience.Look(false, false, 0, false, 0);
    assertThat(after(Patience.TICKS, silent)).isNull();
    assertThat(patience.lostWith(silent)).contains("has not greeted");
    assertThat(after(100, silent)).isNull();
  }

  @Test
  void clientThatTakesNoReplyIsLost() {
    Patience.Look deaf = new Patience.Look(true, true, 5, false, 100);
    assertThat(after(Patience.TICKS + 1, deaf)).isNull();
    assertThat(patience.lostWith(deaf)).contains("does not take its replies");
  }

  @Test
  void clientThatStopsWithinAFrameIsLost() {
    Patience.Look half = new Patience.Look(true, false, 5, true, 100);
    assertThat(after(Patience.TICKS + 1, half)).isNull();
    assertThat(patience.lostWith(half)).contains("rest of its frame");
  }

  @Test
  void clientThatIsSlowButGoesOnIsNotLost() {
    for (int i = 0; i < 100; i++) {
      assertThat(patience.lostWith(new Patience.Look(true, true, i, false, 50))).isNull();
    }
    for (int i = 0; i < 100; i++) {
      assertThat(after(Patience.TICKS, new Patience.Look(true, false, 99, true, 100 + i))).isNull();
    }
  }

  @Test
  void clientWithoutAnythingToDoIsNotLost() {
    assertThat(after(100, new Patience.Look(true, false, 5, false, 100))).isNull();
  }
}
