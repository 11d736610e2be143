package dev.tidemark.pulse.redis.internal.map;

import dev.tidemark.pulse.MapOptions;
import dev.tidemark.pulse.internal.spi.MapStore;
import dev.tidemark.pulse.internal.spi.MapWrite;
import dev.tidemark.pulse.redis.internal.link.Arguments;
import java.time.Duration;

/** How a write is told to the script {@code map.lua}. */
final class MapArguments {
  private final String channel;
  private final MapOptions options;

  MapArguments(String channel, MapOptions options) {
    this.channel = channel;
    this.options = options;
  }

  Arguments of(MapWrite write) {
    return switch (write) {
      case MapWrite.Set(var key, var value) -> begin("set", key).add(value);
      case MapWrite.SetIfAbsent(var key, var value) -> begin("setIfAbsent", key).add(value);
      case MapWrite.TestAndSet(var key, var expected, var value) ->
          begin("testAndSet", key).add(expected).add(value);
      case MapWrite.Increment(var key, var delta) -> begin("increment", key).add(delta);
      case MapWrite.Append append -> append(append);
      case MapWrite.RemoveValues(var key, var values) -> {
        Arguments arguments = begin("removeValues", key);
        values.forEach(arguments::add);
        yield arguments;
      }
      case MapWrite.Delete(var key) -> begin("delete", key);
      case MapWrite.TestAndDelete(var key, var expected) ->
          begin("testAndDelete", key).add(expected);
      case MapWrite.Reset(var expected) -> {
        Arguments arguments = begin("reset", "");
        expected.forEach((key, value) -> arguments.add(key).add(value));
        yield arguments;
      }
      case MapWrite.Destroy() -> begin("destroy", "");
    };
  }

  private Arguments append(MapWrite.Append append) {
    Arguments arguments =
        begin("append", append.key()).add(MapStore.VALUE_BYTES_MAX).add(append.unique());
    append.values().forEach(arguments::add);
    return arguments;
  }

  private Arguments begin(String verb, String key) {
    Duration timeToLive = options.timeToLive().orElse(null);
    return new Arguments()
        .add(verb)
        .add(channel)
        .add(timeToLive == null ? 0 : Math.max(1, timeToLive.toMillis()))
        .add(options.sliding())
        .add(key);
  }
}
