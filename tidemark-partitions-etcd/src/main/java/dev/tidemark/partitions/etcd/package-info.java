/**
 * The control rows of partitions in etcd. Addresses and credentials of an etcd 3.4 or later come
 * in; a {@link dev.tidemark.coordination.RowStore} goes out, which managers and servers are opened
 * with. Leader, members, routes, operations and policy are then in etcd. Ownership, logs and
 * checkpoints stay in Tidemark's store. Programs that start managers or servers call it.
 */
@NullMarked
package dev.tidemark.partitions.etcd;

import org.jspecify.annotations.NullMarked;
