package dev.tidemark.partitions.internal.store;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.tuple.Tuple;

/**
 * The keys of the control rows: what the manager keeps of leader, nodes, routes, operations and
 * policy. They are beside the ownership rows in our store, or in another {@link
 * dev.tidemark.coordination.RowStore}.
 */
public final class ControlKeys {
  /** Of which kind all nodes are. */
  public static final Tuple NODES = Tuple.of("node");

  /** Of which kind all routes are. */
  public static final Tuple ROUTES = Tuple.of("route");

  /** Of which kind all operations are. */
  public static final Tuple OPERATIONS = Tuple.of("op");

  /** Of which kind all locks of operations are. */
  public static final Tuple OPERATION_LOCKS = Tuple.of("oplock");

  /** The manager that leads. */
  public static final Tuple LEADER = Tuple.of("pm", "leader");

  /** The version of the routing table. */
  public static final Tuple ROUTING_VERSION = Tuple.of("routingVersion");

  /** The policy that an operator applied. */
  public static final Tuple POLICY = Tuple.of("policy");

  /** What the policy remembers. */
  public static final Tuple POLICY_STATE = Tuple.of("policyState");

  /** Whether nodes that nobody registered are let in. */
  public static final Tuple ADMISSION = Tuple.of("admission");

  /** Which cluster these rows belong to, where they are not in its store. */
  public static final Tuple CLUSTER = Tuple.of("cluster");

  private ControlKeys() {}

  public static Tuple node(String id) {
    return NODES.append(id);
  }

  public static Tuple routes(String type) {
    return ROUTES.append(type);
  }

  public static Tuple route(String type, Key start) {
    return routes(type).append(start.toByteArray());
  }

  public static Tuple operation(String id) {
    return OPERATIONS.append(id);
  }

  public static Tuple operationLock(String partition) {
    return OPERATION_LOCKS.append(partition);
  }

  /** The node, partition, operation or actor type that a key of its kind is for. */
  public static String nameOf(Tuple key) {
    return key.getString(1);
  }

  /** The start of the route with this key. */
  public static Key routedStart(Tuple key) {
    return Key.wrap(key.getBytes(2));
  }
}
