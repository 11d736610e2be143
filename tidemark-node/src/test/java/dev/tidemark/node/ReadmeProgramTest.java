package dev.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.pulse.Pulse;
import dev.tidemark.records.RecordExistsException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the README does what it says. */
class ReadmeProgramTest {
  @Test
  void programPlacesAnOrderTellsOfItAndSendsAMailOnce(@TempDir Path directory) throws Exception {
    String[] arguments = {directory.toString()};

    assertThat(Printed.by(() -> Shop.main(arguments)))
        .isEqualToNormalizingNewlines(
            """
            [Order[id=7, customer=ann, total=30]]
            mail sent: true
            """);
    assertThatThrownBy(() -> Shop.main(arguments))
        .as("the order is there already, so there is no second event")
        .isInstanceOf(RecordExistsException.class);

    try (EmbeddedDatabase db = EmbeddedDatabase.open(directory);
        Pulse pulse = Pulse.on(db)) {
      assertThat(pulse.stream("orders").length()).isEqualTo(1);
      assertThat(db.<Long, RuntimeException>read(tx -> OrderStore.open(db).count(tx))).isEqualTo(1);
    }
  }
}
