package dev.tidemark.loader.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.loader.InstantData;
import dev.tidemark.loader.LoadResult;
import dev.tidemark.loader.Loader;
import dev.tidemark.loader.Table;
import dev.tidemark.loader.TimeBudget;
import dev.tidemark.testkit.Guide;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of docs/loader-gcp.md. */
@Timeout(60)
class GcpGuideTest {
  @Test
  void subscriptionIsLoadedIntoATable() throws IOException, SQLException {
    try (FakePubSub pubSub = new FakePubSub("my-project");
        FakeBigQuery bigQuery = new FakeBigQuery("my-project")) {
      String pubSubAddress = pubSub.address();
      String bigQueryUrl = bigQuery.url();
      pubSub.publish("m", Instant.now(), Readings.attributes("p1", "350", "800000000"));
      try (PubSubSource source =
              PubSubSource.open("my-project", "readings", o -> o.withEmulator(pubSubAddress));
          BigQueryWarehouse warehouse =
              BigQueryWarehouse.open("my-project", "instant", o -> o.withEndpoint(bigQueryUrl));
          Loader loader =
              Loader.open(
                  source,
                  warehouse,
                  InstantData.mapping(),
                  warehouse,
                  o -> o.withTablePolicy(Table.Policy.CREATE))) {
        LoadResult result = loader.drain(TimeBudget.of(Duration.ofMinutes(5)));
        assertThat(result.successful()).isTrue();
        assertThat(result.merged()).isEqualTo(1);
      }
    }
  }

  @Test
  void guideShowsCodeThatRuns() {
    Guide.read("docs/loader-gcp.md")
        .showsCodeOf(
            1, "tidemark-loader-gcp/src/test/java/dev/tidemark/loader/gcp/GcpGuideTest.java");
  }
}
