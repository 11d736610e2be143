package dev.tidemark.remote.internal.server;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.spi.PromptTransaction;
import dev.tidemark.kv.spi.StoreIdentity;
import dev.tidemark.remote.internal.transport.Wire;
import java.util.UUID;

/**
 * Which store a server serves, as its clients are told.
 *
 * @param store the same after the store was opened again; empty if the server does not know
 * @param opening another one then
 */
record ServedStore(ByteString store, ByteString opening) {
  /** A database that cannot tell is taken for opened anew by each server. */
  static ServedStore of(Database database) {
    try (Transaction tx = database.begin()) {
      StoreIdentity identity = tx instanceof PromptTransaction known ? known.identity() : null;
      return identity == null
          ? new ServedStore(ByteString.EMPTY, bytes(UUID.randomUUID()))
          : new ServedStore(bytes(identity.store()), bytes(identity.opening()));
    }
  }

  private static ByteString bytes(UUID id) {
    return Wire.bytes(Wire.bytes(id));
  }
}
