/**
 * Money that moves between accounts and never vanishes, and the books that prove it.
 *
 * <p>Writers draw a {@code Deed}, commit it through a {@code Committer} and tell their parent;
 * {@code Audit} compares the database with what was told and what the last audit knew. The runs of
 * the engine and of the wire share it, so that both are held to the same books.
 */
@NullMarked
package dev.tidemark.chaos.ledger;

import org.jspecify.annotations.NullMarked;
