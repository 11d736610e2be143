package dev.tidemark.partitions;

import dev.tidemark.kv.Codec;
import dev.tidemark.kv.UsageException;
import java.util.Objects;
import java.util.function.Function;

/**
 * A kind of actor: its name, the form of its messages and how one is made. Each type has its own
 * key space, which its partitions cover.
 *
 * @param name names the type in the whole cluster: letters, digits, dot, dash and underscore
 * @param requests the codec of its requests
 * @param answers the codec of its answers
 * @param factory makes an actor with an empty state
 * @param <Q> the requests
 * @param <R> the answers
 */
public record ActorType<Q, R>(
    String name,
    Codec<Q> requests,
    Codec<R> answers,
    Function<ActorContext, ? extends Actor<Q, R>> factory) {
  private static final int MAX_NAME = 100;

  /** Checks the name. */
  public ActorType {
    Objects.requireNonNull(requests, "The codec of requests is null");
    Objects.requireNonNull(answers, "The codec of answers is null");
    Objects.requireNonNull(factory, "The factory is null");
    if (!name.matches("[A-Za-z0-9._-]{1," + MAX_NAME + "}")) {
      throw UsageException.invalidOption(
          "The actor type is named '%s'; use 1 to %d letters, digits, dots, dashes and underscores"
              .formatted(name, MAX_NAME));
    }
  }

  /** A type of this name. */
  public static <Q, R> ActorType<Q, R> of(
      String name,
      Codec<Q> requests,
      Codec<R> answers,
      Function<ActorContext, ? extends Actor<Q, R>> factory) {
    return new ActorType<>(name, requests, answers, factory);
  }
}
