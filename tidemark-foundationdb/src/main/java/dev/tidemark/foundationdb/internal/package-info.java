/**
 * The two directions between Tidemark and FoundationDB: {@code cluster} adapts an FDB cluster to
 * our interface, {@code facade} shows our store as FDB's Java client. Neither needs the other;
 * tests join them into one chain. What both share is here: failures and their codes. Not API: it
 * changes without notice.
 */
@NullMarked
package dev.tidemark.foundationdb.internal;

import org.jspecify.annotations.NullMarked;
