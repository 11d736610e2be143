package dev.tidemark.changes.spanner;

import com.google.cloud.NoCredentials;
import com.google.cloud.spanner.Spanner;
import com.google.cloud.spanner.SpannerOptions;
import dev.tidemark.changes.ChangeReader;
import dev.tidemark.changes.ChangeSource;
import dev.tidemark.changes.MetadataStore;
import dev.tidemark.changes.ReaderOptions;

/**
 * A change stream of Cloud Spanner, with the connections that are needed to read it.
 *
 * <p>Credentials are those of the environment. All methods may be called from any thread; {@link
 * #close} ends the connections, after the readers.
 */
public final class SpannerChanges implements AutoCloseable {
  private final Spanner streamClient;
  private final Spanner metadataClient;
  private final SpannerChangesOptions options;
  private final ChangeSource source;
  private final SpannerMetadataStore metadata;

  private SpannerChanges(
      Spanner streamClient, Spanner metadataClient, SpannerChangesOptions options) {
    this.streamClient = streamClient;
    this.metadataClient = metadataClient;
    this.options = options;
    this.source =
        new SpannerChangeSource(streamClient.getDatabaseClient(options.database()), options);
    this.metadata = new SpannerMetadataStore(metadataClient, options);
  }

  /** Opens connections. Nothing is read before a reader starts. */
  public static SpannerChanges open(SpannerChangesOptions options) {
    SpannerOptions.Builder builder = builder(options).setNumChannels(options.channels());
    options.role().ifPresent(builder::setDatabaseRole);
    Spanner stream = builder.build().getService();
    try {
      return new SpannerChanges(
          stream, builder(options).setNumChannels(1).build().getService(), options);
    } catch (RuntimeException | Error failure) {
      stream.close();
      throw failure;
    }
  }

  private static SpannerOptions.Builder builder(SpannerChangesOptions options) {
    SpannerOptions.Builder builder =
        SpannerOptions.newBuilder()
            .setProjectId(options.database().getInstanceId().getProject())
            .setBuiltInMetricsEnabled(false);
    options
        .emulator()
        .ifPresent(
            host -> builder.setEmulatorHost(host).setCredentials(NoCredentials.getInstance()));
    return builder;
  }

  /** The stream, for any reader and any metadata store. */
  public ChangeSource source() {
    return source;
  }

  /** The store of readers' states in Spanner. */
  public SpannerMetadataStore metadata() {
    return metadata;
  }

  /** A reader of the stream that keeps its state in Spanner. Its tables must be there. */
  public ChangeReader reader(ReaderOptions reader) {
    return reader(reader, metadata);
  }

  /**
   * A reader of the stream that keeps its state in {@code store}. It reads no more partitions at a
   * time than there are connections for.
   */
  public ChangeReader reader(ReaderOptions reader, MetadataStore store) {
    int most = Math.min(reader.partitions(), options.partitions());
    return ChangeReader.of(source, store, reader.withPartitions(most));
  }

  /** Ends the connections. Readers must be closed before. */
  @Override
  public void close() {
    try {
      streamClient.close();
    } finally {
      metadataClient.close();
    }
  }

  @Override
  public String toString() {
    return "SpannerChanges[" + options.database().getName() + "/" + options.stream() + "]";
  }
}
