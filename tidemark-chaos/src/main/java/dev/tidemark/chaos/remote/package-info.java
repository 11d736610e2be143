/**
 * {@code chaos remote}: a server and its clients die, and the connections between them break.
 * Clients write the books of {@code ledger} through one server; the audit reads them after every
 * round. Only the command calls it.
 */
@NullMarked
package dev.tidemark.chaos.remote;

import org.jspecify.annotations.NullMarked;
