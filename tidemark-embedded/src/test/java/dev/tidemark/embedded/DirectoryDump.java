package dev.tidemark.embedded;

import dev.tidemark.kv.Database;
import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.directory.LayerId;
import dev.tidemark.kv.tuple.Subspace;
import dev.tidemark.kv.tuple.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All keys and values of a database with directories, with the path of a directory in place of its
 * prefix: what does not depend on which prefixes were chosen.
 */
final class DirectoryDump {
  private static final byte[] ALLOCATOR = {'h', 'c', 'a'};

  private final List<KeyValue> rows;
  private final TreeMap<Key, String> paths = new TreeMap<>();
  private final Map<Key, Subspace> nodeSpaces = new TreeMap<>();

  private DirectoryDump(List<KeyValue> rows) {
    this.rows = rows;
  }

  static List<String> of(Database db) {
    DirectoryDump dump = new DirectoryDump(db.read(tx -> tx.scan(KeyRange.ALL).list()));
    dump.addTree(Key.EMPTY, "");
    return dump.rows.stream().map(dump::line).sorted().toList();
  }

  private void addTree(Key prefix, String path) {
    Subspace space = Subspace.fromPrefix(prefix.append((byte) 0xfe));
    nodeSpaces.put(space.prefix(), space);
    addChildren(space, space.prefix(), path);
  }

  private void addChildren(Subspace space, Key node, String path) {
    Subspace children = space.sub((Object) node.toByteArray()).sub(0);
    for (KeyValue row : rows) {
      if (children.contains(row.key())) {
        String child = path + "/" + children.unpack(row.key()).getString(0);
        Key prefix = Key.of(row.value());
        paths.put(prefix, child);
        if (isPartition(space, prefix)) {
          addTree(prefix, child);
        } else {
          addChildren(space, prefix, child);
        }
      }
    }
  }

  private boolean isPartition(Subspace space, Key prefix) {
    Key mark =
        space
            .sub((Object) prefix.toByteArray())
            .pack((Object) "layer".getBytes(StandardCharsets.US_ASCII));
    return rows.stream()
        .anyMatch(
            row ->
                row.key().equals(mark) && LayerId.fromBytes(row.value()).equals(LayerId.PARTITION));
  }

  private String line(KeyValue row) {
    for (Subspace space : nodeSpaces.values()) {
      if (space.contains(row.key())) {
        return nodeLine(space, row);
      }
    }
    // The innermost of partitions and directories that begin the key: the longest prefix.
    Key owner =
        paths.keySet().stream()
            .filter(row.key()::startsWith)
            .max(Comparator.comparingInt(Key::size))
            .orElse(Key.EMPTY);
    return "%s contents %s = %s"
        .formatted(
            name(owner),
            row.key().toHex().substring(2 * owner.size()),
            HexFormat.of().formatHex(row.value()));
  }

  private String nodeLine(Subspace space, KeyValue row) {
    Tuple key = space.unpack(row.key());
    Key prefix = Key.of(key.getBytes(0));
    String tree = name(Key.of(space.prefix().toByteArray()));
    Tuple rest = key.subTuple(1, key.size());
    boolean link = rest.size() == 2 && rest.get(0) instanceof Long;
    boolean number =
        rest.size() == 3 && Arrays.equals(rest.getBytes(0), ALLOCATOR) && rest.getLong(1) == 1;
    return "%s nodes %s %s = %s"
        .formatted(
            tree,
            prefix.equals(space.prefix()) ? "root" : name(prefix),
            number ? "number" : rest,
            link ? name(Key.of(row.value())) : HexFormat.of().formatHex(row.value()));
  }

  private String name(Key prefix) {
    Key key =
        prefix.size() > 0 && prefix.at(prefix.size() - 1) == (byte) 0xfe
            ? Key.of(Arrays.copyOf(prefix.toByteArray(), prefix.size() - 1))
            : prefix;
    return key.size() == 0 ? "/" : paths.getOrDefault(key, "unknown " + key.toHex());
  }
}
