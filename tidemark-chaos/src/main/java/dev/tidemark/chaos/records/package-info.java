/**
 * {@code chaos records}: a process that saves records and builds their indexes is killed. {@code
 * ItemAudit} compares the records with the writers' journal and every index with a recount of the
 * records in plain Java. Only the command calls it.
 */
@NullMarked
package dev.tidemark.chaos.records;

import org.jspecify.annotations.NullMarked;
