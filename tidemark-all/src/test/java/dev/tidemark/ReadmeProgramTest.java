package dev.tidemark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.records.RecordExistsException;
import dev.tidemark.records.RecordStore;
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

    try (Tidemark tidemark = Tidemark.open(directory)) {
      RecordStore<Order> orders = tidemark.records(OrderStore::open);
      assertThat(tidemark.stream("orders").length()).isEqualTo(1);
      assertThat(tidemark.map("totals").get("ann")).contains("30");
      assertThat(tidemark.<Long, RuntimeException>read(orders::count)).isEqualTo(1);
    }
  }
}
