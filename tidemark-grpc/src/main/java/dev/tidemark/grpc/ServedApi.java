package dev.tidemark.grpc;

import dev.tidemark.kv.UsageException;
import dev.tidemark.kv.spi.OptionChecks;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The services of a listener and the role that each of their methods requires. Immutable; {@code
 * with…} methods make copies.
 *
 * <p>Handlers run on virtual threads and may block, unless {@link #withHandlersOnNetworkThreads}
 * says otherwise. {@link Caller#current} is their caller.
 */
public final class ServedApi {
  private static final int MESSAGE_BYTES = 4 << 20;
  private static final int CALLS_PER_CONNECTION = 1_000;

  private final List<ServerServiceDefinition> services;
  private final Map<String, Role> roles;
  private final List<ServerStreamTracer.Factory> tracers;
  private final Drain drain;
  private final Limits limits;

  /**
   * Sizes, and the threads of handlers.
   *
   * @param messageBytes longest message that is taken
   * @param callsPerConnection most open calls of a connection
   * @param onNetworkThreads whether handlers run on the threads of the network
   */
  private record Limits(int messageBytes, int callsPerConnection, boolean onNetworkThreads) {
    Limits {
      OptionChecks.atLeast("messageBytes", messageBytes, 1);
      OptionChecks.atLeast("callsPerConnection", callsPerConnection, 1);
    }
  }

  private ServedApi(
      List<ServerServiceDefinition> services,
      Map<String, Role> roles,
      List<ServerStreamTracer.Factory> tracers,
      Drain drain,
      Limits limits) {
    this.services = List.copyOf(services);
    this.roles = Map.copyOf(roles);
    this.tracers = List.copyOf(tracers);
    this.drain = drain;
    this.limits = limits;
  }

  /** One service, whose methods all require {@code role}. */
  public static ServedApi of(ServerServiceDefinition service, Role role) {
    Limits limits = new Limits(MESSAGE_BYTES, CALLS_PER_CONNECTION, false);
    return new ServedApi(List.of(), Map.of(), List.of(), Drain.NOTHING, limits)
        .withService(service, role);
  }

  /** One service, whose methods all require {@code role}. */
  public static ServedApi of(BindableService service, Role role) {
    return of(service.bindService(), role);
  }

  /** This API and another service, whose methods all require {@code role}. */
  public ServedApi withService(BindableService service, Role role) {
    return withService(service.bindService(), role);
  }

  /** This API and another service, whose methods all require {@code role}. */
  public ServedApi withService(ServerServiceDefinition service, Role role) {
    List<ServerServiceDefinition> all = new ArrayList<>(services);
    all.add(service);
    Map<String, Role> required = new HashMap<>(roles);
    for (ServerMethodDefinition<?, ?> method : service.getMethods()) {
      required.put(method.getMethodDescriptor().getFullMethodName(), role);
    }
    return new ServedApi(all, required, tracers, drain, limits);
  }

  /**
   * This API with another role for one method.
   *
   * @throws UsageException if no service here has the method
   */
  public ServedApi withRole(MethodDescriptor<?, ?> method, Role role) {
    String name = method.getFullMethodName();
    if (!roles.containsKey(name)) {
      throw UsageException.invalidOption(
          "No service of this API has the method %s; add its service first".formatted(name));
    }
    Map<String, Role> required = new HashMap<>(roles);
    required.put(name, role);
    return new ServedApi(services, required, tracers, drain, limits);
  }

  /** This API with another longest message. Default 4 MiB; a longer one fails its call. */
  public ServedApi withMessageBytes(int bytes) {
    return new ServedApi(
        services,
        roles,
        tracers,
        drain,
        new Limits(bytes, limits.callsPerConnection, limits.onNetworkThreads));
  }

  /** This API with another number of open calls of one connection. Default 1,000; more wait. */
  public ServedApi withCallsPerConnection(int count) {
    return new ServedApi(
        services,
        roles,
        tracers,
        drain,
        new Limits(limits.messageBytes, count, limits.onNetworkThreads));
  }

  /** This API with handlers on the threads of the network, which must never block. */
  public ServedApi withHandlersOnNetworkThreads() {
    return new ServedApi(
        services,
        roles,
        tracers,
        drain,
        new Limits(limits.messageBytes, limits.callsPerConnection, true));
  }

  /** This API with a tracer of the bytes and messages of each call. */
  public ServedApi withTracer(ServerStreamTracer.Factory tracer) {
    List<ServerStreamTracer.Factory> all = new ArrayList<>(tracers);
    all.add(tracer);
    return new ServedApi(services, roles, all, drain, limits);
  }

  /** This API with another way to end its streams. Default {@link Drain#NOTHING}. */
  public ServedApi withDrain(Drain other) {
    return new ServedApi(services, roles, tracers, other, limits);
  }

  List<ServerServiceDefinition> services() {
    return services;
  }

  /** The role that each method requires, by its full name. */
  Map<String, Role> roles() {
    return roles;
  }

  List<ServerStreamTracer.Factory> tracers() {
    return tracers;
  }

  Drain drain() {
    return drain;
  }

  int messageBytes() {
    return limits.messageBytes;
  }

  int callsPerConnection() {
    return limits.callsPerConnection;
  }

  boolean onNetworkThreads() {
    return limits.onNetworkThreads;
  }
}
