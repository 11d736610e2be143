package dev.tidemark.remote.internal;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.Limits;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.TransactionOptions;
import dev.tidemark.remote.RemoteOptions;
import java.net.URI;
import java.util.List;

/** One client of a served database. */
@SuppressWarnings("DoNotCallSuggester")
public final class StoreClient implements AutoCloseable {
  private final RemoteOptions options;

  private StoreClient(RemoteOptions options) {
    this.options = options;
  }

  /** Connects to the server at {@code address}. */
  public static StoreClient connect(URI address, RemoteOptions options) {
    if (address.getHost() == null) {
      throw dev.tidemark.kv.UsageException.invalidOption("No host in " + address);
    }
    return new StoreClient(options);
  }

  /** Opens a transaction. */
  public Transaction begin(TransactionOptions transactionOptions) {
    throw new UnsupportedOperationException("A transaction with " + transactionOptions);
  }

  /** Roughly how many bytes the keys and values of {@code range} take. */
  public long estimatedSize(KeyRange range) {
    throw new UnsupportedOperationException("The size of " + range);
  }

  /** Keys that cut {@code range} into pieces of roughly {@code pieceBytes}. */
  public List<Key> splitPoints(KeyRange range, long pieceBytes) {
    throw new UnsupportedOperationException("Pieces of " + pieceBytes + " of " + range);
  }

  /** The limits of the served database. */
  public Limits limits() {
    return Limits.DEFAULTS;
  }

  /** How this client works. */
  public RemoteOptions options() {
    return options;
  }

  @Override
  public void close() {}
}
