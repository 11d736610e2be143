/**
 * Rows on etcd: calls with deadlines, transitions that compare revisions, and watches that are made
 * anew. Keys and bytes come in from the public package; transactions of etcd go out. Only the
 * public package calls it.
 */
@NullMarked
package dev.tidemark.partitions.etcd.internal;

import org.jspecify.annotations.NullMarked;
