package dev.tidemark.node.internal.command.pulse;

import dev.tidemark.kv.Codec;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.KeySyntax;
import dev.tidemark.node.internal.console.Listing;
import dev.tidemark.node.internal.stores.KnownNames;
import dev.tidemark.node.internal.stores.StoreArgument;
import dev.tidemark.pulse.ReplicatedMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Looks at replicated maps, and changes them. */
@Command(
    name = "map",
    description = "List replicated maps, show and change their entries.",
    footer = {
      "%nExamples:",
      "  ./tidemark map list /var/lib/shop",
      "  ./tidemark map get tidemark://127.0.0.1 settings",
      "  ./tidemark map set tidemark://127.0.0.1 settings alert.threshold 1600"
    })
public final class MapCommands {
  private static final String NAME = "The name of the map.";
  private static final int NOTHING = 1;

  private final Console console;

  /** Prints to {@code console}. */
  public MapCommands(Console console) {
    this.console = console;
  }

  private static ReplicatedMap<String, byte[]> map(PulseStore opened, String name) {
    return opened.pulse().map(name, Codec.TEXT, Codec.BYTES, o -> o);
  }

  @Command(
      name = "list",
      description = "Show the maps of a store, with how many entries each has.",
      footer = {"%nExamples:", "  ./tidemark map list /var/lib/shop --json"})
  int list(@Mixin StoreArgument store, @Mixin Format format) {
    try (PulseStore opened = PulseStore.open(console, store)) {
      Listing listing = new Listing("map", "entries");
      for (String name : opened.names().maps()) {
        try (ReplicatedMap<String, byte[]> map = map(opened, name)) {
          listing.add(name, map.size());
        }
      }
      console.show(format, listing);
      return 0;
    }
  }

  @Command(
      name = "get",
      description = "Show an entry, or all of them; exit code 1 if there is none with the key.",
      footer = {
        "%nExamples:",
        "  ./tidemark map get /var/lib/shop settings",
        "  ./tidemark map get /var/lib/shop settings alert.threshold"
      })
  int get(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "NAME", description = NAME) String name,
      @Parameters(index = "2", arity = "0..1", paramLabel = "KEY", description = "Only this one.")
          Optional<String> key,
      @Mixin Format format) {
    try (PulseStore opened = PulseStore.open(console, store)) {
      KnownNames.require("map", name, opened.names().maps());
      try (ReplicatedMap<String, byte[]> map = map(opened, name)) {
        return key.isPresent() ? one(map, key.get(), format) : all(map, format);
      }
    }
  }

  private int one(ReplicatedMap<String, byte[]> map, String key, Format format) {
    Optional<byte[]> value = map.get(key);
    if (value.isEmpty()) {
      console.complain("there is no key '%s' in map '%s'".formatted(key, map.name()));
      return NOTHING;
    }
    String text = KeySyntax.print(value.get());
    if (format.json()) {
      console.show(format, new Listing("key", "value").add(key, text));
    } else {
      console.line(text);
    }
    return 0;
  }

  private int all(ReplicatedMap<String, byte[]> map, Format format) {
    Listing listing = new Listing("key", "value");
    for (Map.Entry<String, byte[]> entry : new TreeMap<>(map.snapshot()).entrySet()) {
      listing.add(entry.getKey(), KeySyntax.print(entry.getValue()));
    }
    console.show(format, listing);
    return 0;
  }

  @Command(
      name = "set",
      description = "Set an entry; every process that has joined the map sees it.",
      footer = {"%nExamples:", "  ./tidemark map set /var/lib/shop settings alert.threshold 1600"})
  int set(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "NAME", description = NAME) String name,
      @Parameters(index = "2", paramLabel = "KEY", description = "Its key.") String key,
      @Parameters(
              index = "3",
              paramLabel = "VALUE",
              description = "Text, with \\xHH for other bytes.")
          String value,
      @Mixin Format format) {
    byte[] bytes = KeySyntax.bytes(value);
    try (PulseStore opened = PulseStore.open(console, store);
        ReplicatedMap<String, byte[]> map = map(opened, name)) {
      map.set(key, bytes);
      console.done(format, "set", "map", name, "key", key);
      return 0;
    }
  }

  @Command(
      name = "delete",
      description = "Delete an entry; exit code 1 if there is none with the key.",
      footer = {"%nExamples:", "  ./tidemark map delete /var/lib/shop settings alert.threshold"})
  int delete(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "NAME", description = NAME) String name,
      @Parameters(index = "2", paramLabel = "KEY", description = "Its key.") String key,
      @Mixin Format format) {
    try (PulseStore opened = PulseStore.open(console, store)) {
      KnownNames.require("map", name, opened.names().maps());
      try (ReplicatedMap<String, byte[]> map = map(opened, name)) {
        if (map.delete(key).isPresent()) {
          console.done(format, "delete", "map", name, "key", key);
          return 0;
        }
        console.complain("there is no key '%s' in map '%s'".formatted(key, name));
        return NOTHING;
      }
    }
  }
}
