/**
 * {@code chaos engine}: a process with a database is killed, and copies of its files are damaged,
 * cut or left on a full disk. {@code Child} is the process; a round is a class of its own. The
 * books of {@code ledger} say what must be there. Only the command calls it.
 */
@NullMarked
package dev.tidemark.chaos.engine;

import org.jspecify.annotations.NullMarked;
