package dev.tidemark.node.internal.command.pulse;

import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Json;
import dev.tidemark.node.internal.console.KeySyntax;
import dev.tidemark.node.internal.console.Listing;
import dev.tidemark.node.internal.console.Misuse;
import dev.tidemark.node.internal.stores.KnownNames;
import dev.tidemark.node.internal.stores.StoreArgument;
import dev.tidemark.pulse.Event;
import dev.tidemark.pulse.EventId;
import dev.tidemark.pulse.EventStream;
import dev.tidemark.pulse.Reader;
import dev.tidemark.pulse.Start;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks at event streams, and publishes. */
@Command(
    name = "stream",
    description = "List event streams, show their events, and publish.",
    footer = {
      "%nExamples:",
      "  ./tidemark stream list /var/lib/shop",
      "  ./tidemark stream tail tidemark://127.0.0.1 orders --follow",
      "  ./tidemark stream publish /var/lib/shop orders order.placed 42"
    })
public final class StreamCommands {
  private static final String NAME = "The name of the stream.";
  private static final Duration QUIET = Duration.ofSeconds(1);

  private final Console console;

  /** Prints to {@code console}. */
  public StreamCommands(Console console) {
    this.console = console;
  }

  @Command(
      name = "list",
      description = "Show the streams of a store, with how many events each has.",
      footer = {"%nExamples:", "  ./tidemark stream list /var/lib/shop --json"})
  int list(@Mixin StoreArgument store, @Mixin Format format) {
    try (PulseStore opened = PulseStore.open(console, store)) {
      Listing listing = new Listing("stream", "events");
      for (String name : opened.names().streams()) {
        listing.add(name, opened.pulse().stream(name).length());
      }
      console.show(format, listing);
      return 0;
    }
  }

  @Command(
      name = "tail",
      description = {
        "Show events, one a line: id, time, name, topic and payload. No cursor moves by that.",
        "Ends behind the last event; with --follow it waits for more."
      },
      footer = {
        "%nExamples:",
        "  ./tidemark stream tail /var/lib/shop orders --limit 10",
        "  ./tidemark stream tail tidemark://127.0.0.1 orders --from now --follow --json"
      })
  int tail(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "NAME", description = NAME) String name,
      @Option(
              names = "--from",
              paramLabel = "WHERE",
              defaultValue = "beginning",
              description = "beginning (default), now, a time, or behind the event with this id.")
          String from,
      @Option(names = "--topic", paramLabel = "TOPIC", description = "Only events about it.")
          Optional<String> topic,
      @Option(names = "--limit", paramLabel = "N", description = "End after N events.")
          Optional<Long> limit,
      @Option(names = "--follow", description = "Wait for more, until stopped.") boolean follow,
      @Mixin Format format) {
    Start start = start(from);
    if (limit.isPresent() && limit.get() < 1) {
      throw new Misuse("--limit takes a whole number from 1 on, not " + limit.get());
    }
    try (PulseStore opened = PulseStore.open(console, store)) {
      KnownNames.require("stream", name, opened.names().streams());
      EventStream stream = opened.pulse().stream(name);
      // The number of events is known for the whole stream only; otherwise the end is where no
      // event comes for a while.
      long there = from.equals("beginning") && topic.isEmpty() ? stream.length() : Long.MAX_VALUE;
      long wanted = Math.min(limit.orElse(Long.MAX_VALUE), follow ? Long.MAX_VALUE : there);
      try (Reader reader =
          stream.reader(
              o -> {
                var options = o.withStart(start).withBlock(QUIET);
                return topic.map(options::withTopic).orElse(options);
              })) {
        print(reader, wanted, follow, format);
      }
      return 0;
    }
  }

  private void print(Reader reader, long wanted, boolean follow, Format format) {
    long left = wanted;
    while (left > 0) {
      List<Event> events = reader.read();
      if (events.isEmpty() && !follow) {
        return;
      }
      for (Event event : events.subList(0, (int) Math.min(left, events.size()))) {
        console.line(format.json() ? Json.of(object(event)) : line(event));
      }
      left -= events.size();
    }
  }

  private static String line(Event event) {
    return String.join(
        "\t",
        event.id().toString(),
        event.createdAt().toString(),
        event.name(),
        event.topic().isEmpty() ? "-" : event.topic(),
        KeySyntax.print(event.payload()));
  }

  private static Object object(Event event) {
    return Json.object(
        "id", event.id(),
        "time", event.createdAt(),
        "name", event.name(),
        "topic", event.topic(),
        "payload", KeySyntax.print(event.payload()));
  }

  private static Start start(String from) {
    if (from.equals("beginning")) {
      return Start.oldest();
    }
    if (from.equals("now")) {
      return Start.newest();
    }
    try {
      return from.contains("T") ? Start.at(Instant.parse(from)) : Start.after(EventId.parse(from));
    } catch (DateTimeParseException | IllegalArgumentException wrong) {
      throw new Misuse(
          "--from takes beginning, now, a time such as 2026-02-01T08:00:00Z or the id of an event, not '%s'"
              .formatted(from),
          wrong);
    }
  }

  @Command(
      name = "publish",
      description = {
        "Add an event, and print its id.",
        "A stream begins with its first event; it keeps 1,000 until a program says otherwise."
      },
      footer = {
        "%nExamples:",
        "  ./tidemark stream publish /var/lib/shop orders order.placed 42 --topic ann",
        "  ./tidemark stream publish /var/lib/shop orders order.placed 42 --once order-42"
      })
  int publish(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "NAME", description = NAME) String name,
      @Parameters(index = "2", paramLabel = "EVENT", description = "What happened.") String event,
      @Parameters(
              index = "3",
              arity = "0..1",
              defaultValue = "",
              paramLabel = "PAYLOAD",
              description = "What it carries: text, with \\xHH for other bytes.")
          String payload,
      @Option(
              names = "--topic",
              paramLabel = "TOPIC",
              defaultValue = "",
              description = "What readers can filter by.")
          String topic,
      @Option(
              names = "--once",
              paramLabel = "KEY",
              description = "Add nothing if an event was added with this key before.")
          Optional<String> once,
      @Mixin Format format) {
    byte[] bytes = KeySyntax.bytes(payload);
    try (PulseStore opened = PulseStore.open(console, store)) {
      EventStream stream = opened.pulse().stream(name);
      EventId id =
          once.map(key -> stream.addOnce(key, event, topic, bytes))
              .orElseGet(() -> stream.add(event, topic, bytes));
      console.say(format, id.toString(), "publish", "stream", name, "id", id);
      return 0;
    }
  }
}
