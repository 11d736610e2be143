/**
 * {@code bench records}: what a program gets from typed records with indexes, beside SQLite and H2
 * with the same tables and triggers. The users that are stored ({@code User}, {@code Users}) are
 * here; the runs of changes and of the loader store the same ones. {@code RecordsProfile} shows
 * where the time goes. The command and those two runs call it.
 */
@NullMarked
package dev.tidemark.bench.records;

import org.jspecify.annotations.NullMarked;
