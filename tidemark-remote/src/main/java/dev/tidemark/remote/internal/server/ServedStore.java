package dev.tidemark.remote.internal.server;

import com.google.protobuf.ByteString;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.spi.PromptTransaction;
import dev.tidemark.kv.spi.StoreIdentity;
import dev.tidemark.remote.internal.transport.Wire;
import java.util.UUID;

/**
 * The identity of the served store, as its clients get it.
 *
 * @param store the same whenever the store is opened; empty if the server does not know it
 * @param opening another one at each opening
 */
record ServedStore(ByteString store, ByteString opening) {
  /** A database without an identity counts as opened anew by each server. */
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
