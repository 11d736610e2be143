package dev.tidemark.records.internal.store;

import dev.tidemark.kv.Key;
import dev.tidemark.kv.KeyRange;
import dev.tidemark.kv.KeyValue;
import dev.tidemark.kv.ReadTransaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.internal.index.GroupKey;
import dev.tidemark.records.internal.index.TextMaintainer;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.query.TextQuery;
import dev.tidemark.records.schema.RecordType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Searches records by the words of a text. The records of a word are in the order of their primary
 * keys, so a merge of several words finds the records that have all of them.
 */
final class TextSearch {
  /** The largest number of primary keys that are sorted in memory. */
  private static final int KEPT_MAX = 100_000;

  private final ReadTransaction tx;
  private final TextMaintainer index;
  private final Tuple group;

  private TextSearch(ReadTransaction tx, TextMaintainer index, Tuple group) {
    this.tx = tx;
    this.index = index;
    this.group = group;
  }

  /** The primary keys of the records that match {@code query}, in order. */
  static Iterator<Tuple> find(
      Space space,
      RecordType<?> type,
      ReadTransaction tx,
      String name,
      TextQuery query,
      @Nullable Object[] group) {
    if (!(IndexReader.readable(space, type, tx, name) instanceof TextMaintainer index)) {
      throw IndexReader.wrongKind(
          space.state(tx).maintainer(name), "words are looked for in indexes of kind TEXT");
    }
    Tuple key = GroupKey.whole(index.index(), index.columns(), group);
    TextSearch search = new TextSearch(tx, index, key);
    return switch (query) {
      case TextQuery.All all -> search.new Together(Set.copyOf(all.words()), List.of());
      case TextQuery.Phrase phrase ->
          search.new Together(Set.copyOf(phrase.words()), phrase.words());
      case TextQuery.Any any -> search.one(any.words().stream().map(search::rowsOf).toList());
      case TextQuery.Prefix prefix -> search.one(List.of(search.rowsFrom(prefix.start())));
    };
  }

  private KeyRange rowsOf(String word) {
    return index.keys().entriesStartingWith(group.append(word));
  }

  /** A packed text ends with a terminator, which longer texts do not have there. */
  private KeyRange rowsFrom(String start) {
    byte[] whole = index.keys().entries().pack(group.append(start)).toByteArray();
    return KeyRange.startingWith(Key.of(Arrays.copyOf(whole, whole.length - 1)));
  }

  /** Records of any of {@code ranges}, each once. */
  private Iterator<Tuple> one(List<KeyRange> ranges) {
    NavigableMap<Key, Tuple> found = new TreeMap<>();
    for (KeyRange range : ranges) {
      for (KeyValue row : tx.scan(range)) {
        Tuple primaryKey = index.primaryKeyOf(index.keys().entries().unpack(row.key()));
        found.put(Key.of(primaryKey.pack()), primaryKey);
        if (found.size() > KEPT_MAX) {
          throw new IllegalStateException(
              "More than %,d records have such words, which is as many as are kept in memory. Look for longer or fewer words"
                  .formatted(KEPT_MAX));
        }
      }
    }
    return found.values().iterator();
  }

  /** The records of one word. */
  private final class Word {
    private final Iterator<KeyValue> rows;
    private final String text;
    private Tuple primaryKey = Tuple.EMPTY;
    private Key order = Key.EMPTY;
    private byte[] places = {};

    Word(String text) {
      this.text = text;
      this.rows = tx.scan(rowsOf(text)).iterator();
    }

    /** Advances to the first record at or behind {@code from}, and returns whether there is one. */
    boolean goTo(Key from) {
      while (order.compareTo(from) < 0) {
        if (!rows.hasNext()) {
          return false;
        }
        KeyValue row = rows.next();
        primaryKey = index.primaryKeyOf(index.keys().entries().unpack(row.key()));
        order = Key.of(primaryKey.pack());
        places = row.value();
      }
      return true;
    }

    Set<Integer> places() {
      Tuple all = Tuple.unpack(places);
      Set<Integer> found = new HashSet<>();
      for (int i = 0; i < all.size(); i++) {
        found.add(all.getInt(i));
      }
      return found;
    }
  }

  /** The records that have several words, in sequence if a phrase is given. */
  private final class Together implements Iterator<Tuple> {
    private final List<Word> words = new ArrayList<>();
    private final List<String> phrase;
    private Key from = Key.of((byte) 0);
    private @Nullable Tuple next;
    private boolean ended;

    Together(Set<String> texts, List<String> phrase) {
      texts.forEach(text -> words.add(new Word(text)));
      this.phrase = phrase;
    }

    @Override
    public boolean hasNext() {
      while (next == null && !ended) {
        advance();
      }
      return next != null;
    }

    private void advance() {
      for (Word word : words) {
        if (!word.goTo(from)) {
          ended = true;
          return;
        }
      }
      Key last = Collections.max(words.stream().map(word -> word.order).toList());
      if (words.stream().allMatch(word -> word.order.equals(last))) {
        next = isPhrase() ? words.getFirst().primaryKey : null;
        from = last.next();
      } else {
        from = last;
      }
    }

    private boolean isPhrase() {
      if (phrase.isEmpty()) {
        return true;
      }
      Set<Integer> begins = placesOf(phrase.getFirst());
      for (int i = 1; i < phrase.size(); i++) {
        Set<Integer> here = placesOf(phrase.get(i));
        int distance = i;
        begins.removeIf(begin -> !here.contains(begin + distance));
      }
      return !begins.isEmpty();
    }

    private Set<Integer> placesOf(String text) {
      return words.stream()
          .filter(word -> word.text.equals(text))
          .findFirst()
          .orElseThrow()
          .places();
    }

    @Override
    public Tuple next() {
      if (!hasNext() || next == null) {
        throw new NoSuchElementException("There are no more records");
      }
      Tuple found = next;
      next = null;
      return found;
    }
  }
}
