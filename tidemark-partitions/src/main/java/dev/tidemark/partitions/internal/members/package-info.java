/**
 * The nodes of a cluster as rows: who is known, in which incarnation, in which state, until when. A
 * server joins, renews and leaves through here; the leading manager admits, drains, expires, resets
 * and removes. Every method joins the caller's transaction. Time comes from the caller and is the
 * store's; the holder's side of a lease is that of the coordination module.
 */
@NullMarked
package dev.tidemark.partitions.internal.members;

import org.jspecify.annotations.NullMarked;
