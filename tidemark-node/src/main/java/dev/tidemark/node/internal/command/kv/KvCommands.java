package dev.tidemark.node.internal.command.kv;

import dev.tidemark.embedded.EmbeddedDatabase;
import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.backup.BackupSource;
import dev.tidemark.kv.copy.CopyReport;
import dev.tidemark.kv.copy.StoreCopy;
import dev.tidemark.node.internal.console.Console;
import dev.tidemark.node.internal.console.Format;
import dev.tidemark.node.internal.console.Json;
import dev.tidemark.node.internal.console.KeySyntax;
import dev.tidemark.node.internal.console.Listing;
import dev.tidemark.node.internal.console.Misuse;
import dev.tidemark.node.internal.stores.Connection;
import dev.tidemark.node.internal.stores.DirectoryTree;
import dev.tidemark.node.internal.stores.StoreArgument;
import dev.tidemark.records.schema.RecordType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads and writes keys; looks at whole stores, backs them up, restores and copies them. */
@Command(
    name = "kv",
    description = {
      "Read and write keys; list, back up, restore, verify and copy stores.",
      "",
      "A KEY or VALUE is text, with \\xHH for other bytes; or a tuple such as",
      "'(\"users\", 42, true, null, b\"\\x00\", 1.5, (1, 2))'; or a prefix, a slash and a tuple.",
      "range prints keys the way the other commands take them."
    },
    footer = {
      "%nExamples:",
      "  ./tidemark kv get /var/lib/shop greeting",
      "  ./tidemark kv range /var/lib/shop --in shop/orders --limit 10",
      "  ./tidemark kv backup tidemark://127.0.0.1 /var/backups/shop"
    })
public final class KvCommands {
  private static final String KEY = "Text with \\xHH, or a tuple such as '(\"users\", 42)'.";
  private static final int NOTHING = 1;
  private static final int PAGE = 1_000;

  private final Console console;

  /** Prints to {@code console}. */
  public KvCommands(Console console) {
    this.console = console;
  }

  @Command(
      name = "get",
      description = "Show the value of a key; exit code 1 if it has none.",
      footer = {
        "%nExamples:",
        "  ./tidemark kv get /var/lib/shop greeting",
        "  ./tidemark kv get /var/lib/shop --in app/users '(42)' --raw"
      })
  int get(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "KEY", description = KEY) String key,
      @Mixin Place place,
      @Option(names = "--raw", description = "The bytes as they are, without a line end.")
          boolean raw,
      @Mixin Format format) {
    Key parsed = KeySyntax.parse(key);
    try (Database database = store.open(console)) {
      Key whole = place.prefix(database).append(parsed.toByteArray());
      Optional<byte[]> value = database.read(tx -> tx.get(whole));
      if (value.isEmpty()) {
        console.complain("there is no key " + KeySyntax.print(parsed));
        return NOTHING;
      }
      if (raw) {
        console.out().writeBytes(value.get());
        console.out().flush();
      } else {
        show(format, parsed, value.get(), KeySyntax.print(value.get()));
      }
      return 0;
    }
  }

  private void show(Format format, Key key, byte[] value, String plain) {
    console.line(
        format.json()
            ? Json.of(
                Json.object(
                    "key", KeySyntax.print(key),
                    "key_hex", key.toHex(),
                    "value", KeySyntax.print(value)))
            : plain);
  }

  @Command(
      name = "range",
      description = {
        "Show keys with their values, in order.",
        "Long ranges are read in several transactions, a thousand rows each."
      },
      footer = {
        "%nExamples:",
        "  ./tidemark kv range /var/lib/shop",
        "  ./tidemark kv range /var/lib/shop a m --limit 20",
        "  ./tidemark kv range /var/lib/shop --prefix '(\"users\")' --json"
      })
  int range(
      @Mixin StoreArgument store,
      @Parameters(index = "1", arity = "0..1", paramLabel = "FROM", description = "First key.")
          Optional<String> from,
      @Parameters(
              index = "2",
              arity = "0..1",
              paramLabel = "TO",
              description = "Key to end before.")
          Optional<String> to,
      @Option(names = "--prefix", paramLabel = "KEY", description = "Only keys that begin so.")
          Optional<String> prefix,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "100",
              description = "How many at most (default 100).")
          int limit,
      @Mixin Place place,
      @Mixin Format format) {
    if (limit < 1) {
      throw new Misuse("--limit takes a whole number from 1 on, not " + limit);
    }
    if (prefix.isPresent() && from.isPresent()) {
      throw new Misuse("--prefix and FROM exclude each other");
    }
    Optional<Key> first = from.map(KeySyntax::parse);
    Optional<Key> end = to.map(KeySyntax::parse);
    Optional<Key> begins = prefix.map(KeySyntax::parse);
    try (Database database = store.open(console)) {
      Key base = place.prefix(database);
      KeyRange all = KeyRange.startingWith(base.append(begins.orElse(Key.EMPTY).toByteArray()));
      Key begin = first.map(key -> base.append(key.toByteArray())).orElse(all.begin());
      Key stop = end.map(key -> base.append(key.toByteArray())).orElse(all.end());
      if (begin.compareTo(stop) > 0) {
        throw new Misuse("FROM is behind TO");
      }
      rows(database, base.size(), KeyRange.of(begin, stop), limit, format);
      return 0;
    }
  }

  private void rows(Database database, int skipped, KeyRange range, int limit, Format format) {
    Key next = range.begin();
    int left = limit;
    while (left > 0) {
      KeyRange rest = KeyRange.of(next, range.end());
      int rows = Math.min(PAGE, left);
      List<KeyValue> page = database.read(tx -> tx.scan(rest).limit(rows).list());
      for (KeyValue row : page) {
        byte[] whole = row.key().toByteArray();
        Key key = Key.of(Arrays.copyOfRange(whole, skipped, whole.length));
        show(format, key, row.value(), KeySyntax.print(key) + "\t" + KeySyntax.print(row.value()));
      }
      if (page.size() < rows) {
        return;
      }
      left -= rows;
      next = page.getLast().key().next();
    }
    KeyRange rest = KeyRange.of(next, range.end());
    if (database.read(tx -> tx.scan(rest).limit(1).first()).isPresent()) {
      console.complain("there are more; --limit shows them");
    }
  }

  @Command(
      name = "set",
      description = "Set a key.",
      footer = {
        "%nExamples:",
        "  ./tidemark kv set /var/lib/shop greeting hello",
        "  ./tidemark kv set /var/lib/shop '(\"users\", 42)' '\\x00\\x01'"
      })
  int set(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "KEY", description = KEY) String key,
      @Parameters(index = "2", paramLabel = "VALUE", description = "Written as keys are.")
          String value,
      @Mixin Place place,
      @Mixin Format format) {
    Key parsed = KeySyntax.parse(key);
    byte[] bytes = KeySyntax.parse(value).toByteArray();
    try (Database database = store.open(console)) {
      Key whole = place.prefix(database).append(parsed.toByteArray());
      database.run(tx -> tx.set(whole, bytes));
      console.done(format, "set", "key", KeySyntax.print(parsed), "key_hex", parsed.toHex());
      return 0;
    }
  }

  @Command(
      name = "clear",
      description = "Clear a key, or all keys that begin with it.",
      footer = {
        "%nExamples:",
        "  ./tidemark kv clear /var/lib/shop greeting",
        "  ./tidemark kv clear /var/lib/shop '(\"sessions\")' --prefix"
      })
  int clear(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "KEY", description = KEY) String key,
      @Option(names = "--prefix", description = "All keys that begin with KEY.") boolean prefix,
      @Mixin Place place,
      @Mixin Format format) {
    Key parsed = KeySyntax.parse(key);
    if (prefix && parsed.size() == 0) {
      throw new Misuse("--prefix needs a KEY that is not empty: it would clear everything");
    }
    try (Database database = store.open(console)) {
      Key whole = place.prefix(database).append(parsed.toByteArray());
      database.run(
          tx -> {
            if (prefix) {
              tx.clear(KeyRange.startingWith(whole));
            } else {
              tx.clear(whole);
            }
          });
      console.done(
          format,
          "clear",
          "key",
          KeySyntax.print(parsed),
          "key_hex",
          parsed.toHex(),
          "prefix",
          prefix);
      return 0;
    }
  }

  @Command(
      name = "list",
      description = "Show the directories of a store, and which of them hold records.",
      footer = {
        "%nExamples:",
        "  ./tidemark kv list /var/lib/shop",
        "  ./tidemark kv list tidemark://127.0.0.1 tenants/acme --json"
      })
  int list(
      @Mixin StoreArgument store,
      @Parameters(
              index = "1",
              arity = "0..1",
              paramLabel = "PATH",
              description = "Only this directory and those below it.")
          Optional<String> path,
      @Mixin Format format) {
    try (Database database = store.open(console)) {
      Listing listing = new Listing("path", "layer", "bytes", "records");
      for (DirectoryTree.Node node : DirectoryTree.below(database, path)) {
        listing.add(
            node.path(),
            Optional.of(node.layer().toString()).filter(layer -> !layer.isEmpty()),
            node.bytes(),
            node.records().map(schema -> schema.types().stream().map(RecordType::name).toList()));
      }
      console.show(format, listing);
      return 0;
    }
  }

  @Command(
      name = "stat",
      description = "Show the version of a store, about how large it is, and its limits.",
      footer = {"%nExamples:", "  ./tidemark kv stat /var/lib/shop --json"})
  int stat(@Mixin StoreArgument store, @Mixin Format format) {
    try (Database database = store.open(console)) {
      long version = database.read(ReadTransaction::readVersion);
      Listing listing =
          new Listing("version", "time", "bytes", "file_bytes", "key_limit", "value_limit");
      console.show(
          format,
          listing.add(
              version,
              database.timeOf(version),
              database.estimatedSize(KeyRange.ALL),
              database instanceof EmbeddedDatabase embedded
                  ? Optional.of(embedded.statistics().fileBytes())
                  : Optional.empty(),
              database.limits().keyBytes(),
              database.limits().valueBytes()));
      return 0;
    }
  }

  @Command(
      name = "backup",
      description = {
        "Copy the files of a store, as they are at one moment, to an empty directory.",
        "A served store stays in use meanwhile; its token has to be one of an operator."
      },
      footer = {
        "%nExamples:",
        "  ./tidemark kv backup /var/lib/shop /var/backups/shop",
        "  ./tidemark kv backup tidemark://127.0.0.1 /var/backups/shop --token-file operator.token"
      })
  int backup(
      @Mixin StoreArgument store,
      @Parameters(index = "1", paramLabel = "DIRECTORY", description = "Empty, or to be made.")
          String directory,
      @Mixin Format format) {
    Path target = Connection.directory(directory);
    try (Database database = store.open(console)) {
      if (!(database instanceof BackupSource source)) {
        throw new IllegalStateException("This store has no files to back up");
      }
      source.backup(target);
      console.say(format, "the backup is in " + target, "backup", "directory", target);
      return 0;
    }
  }

  @Command(
      name = "restore",
      description = "Make a store of a backup. Every file is checked.",
      footer = {"%nExamples:", "  ./tidemark kv restore /var/backups/shop /var/lib/shop"})
  int restore(
      @Parameters(index = "0", paramLabel = "BACKUP", description = "A directory with a backup.")
          String backup,
      @Parameters(index = "1", paramLabel = "DIRECTORY", description = "Empty, or to be made.")
          String directory,
      @Mixin Format format) {
    Path target = Connection.directory(directory);
    EmbeddedDatabase.restore(Connection.existing(backup), target);
    console.say(format, "the store is in " + directory, "restore", "directory", directory);
    return 0;
  }

  @Command(
      name = "verify",
      description = "Read all files of a store and compare their checksums.",
      footer = {"%nExamples:", "  ./tidemark kv verify /var/lib/shop"})
  int verify(
      @Parameters(paramLabel = "DIRECTORY", description = "A store that no process has open.")
          String directory,
      @Mixin Format format) {
    try (EmbeddedDatabase database = Connection.openDirectory(directory)) {
      database.verify();
      console.say(format, directory + " is whole", "verify", "directory", directory);
      return 0;
    }
  }

  @Command(
      name = "copy",
      description = {
        "Copy all rows of a store to another one, which has to be empty, and compare both.",
        "Stop what writes first. A copy that was interrupted goes on when it is started again."
      },
      footer = {
        "%nExamples:",
        "  ./tidemark kv copy /var/lib/shop /mnt/new/shop",
        "  ./tidemark kv copy /var/lib/shop tidemark://127.0.0.1:7421"
      })
  int copy(
      @Mixin StoreArgument store,
      @Parameters(
              index = "1",
              paramLabel = "TARGET",
              description =
                  "A directory, which is created if it does not exist, or the address of a store.")
          String target,
      @Mixin Format format) {
    store.connection().check(store.text(), target);
    try (Database from = store.connection().open(console, store.text());
        Database to =
            Connection.isServed(target)
                ? store.connection().open(console, target)
                : EmbeddedDatabase.open(Path.of(target))) {
      CopyReport report = StoreCopy.of(from, to).run();
      console.show(
          format,
          new Listing("rows", "bytes", "rows_copied", "source_version")
              .add(report.rows(), report.bytes(), report.rowsCopied(), report.sourceVersion()));
      return 0;
    }
  }
}
