package dev.tidemark.records.internal.store;

import dev.tidemark.kv.Transaction;
import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.RecordExistsException;
import dev.tidemark.records.RecordMissingException;
import dev.tidemark.records.RefusedRecordException;
import dev.tidemark.records.UniquenessException;
import dev.tidemark.records.internal.changes.Capture;
import dev.tidemark.records.internal.changes.Wire;
import dev.tidemark.records.internal.format.DynamicCodec;
import dev.tidemark.records.internal.index.Claims;
import dev.tidemark.records.internal.index.IndexWriter;
import dev.tidemark.records.internal.index.IndexWriter.Image;
import dev.tidemark.records.internal.index.Maintainer.Change;
import dev.tidemark.records.internal.index.OpenType;
import dev.tidemark.records.internal.keys.KeyElements;
import dev.tidemark.records.internal.keys.KeySpan;
import dev.tidemark.records.internal.keys.StoreKeys.RecordKey;
import dev.tidemark.records.internal.space.Space;
import dev.tidemark.records.internal.space.SpaceState;
import dev.tidemark.records.internal.space.StoredRecords;
import dev.tidemark.records.internal.space.StoredRecords.Found;
import dev.tidemark.records.schema.FieldType;
import dev.tidemark.records.schema.RecordType;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Saves and deletes the records of one type, with their index entries and changes. */
public final class RecordWrites<R> {
  private final Space space;
  private final RecordType<R> type;
  private final Records<R> records;
  private final StoredRecords<R> stored;
  private final Capture capture;
  private final Relations relations;

  /** What a save expects to find. */
  public enum Existence {
    /** Anything. */
    ANY,
    /** No record. */
    ABSENT,
    /** A record. */
    PRESENT
  }

  RecordWrites(Space space, RecordType<R> type, Records<R> records) {
    this.space = space;
    this.type = type;
    this.records = records;
    this.stored = records.stored();
    this.capture = Capture.of(space);
    this.relations = new Relations(space, type);
  }

  Relations relations() {
    return relations;
  }

  /** Saves {@code record} if what is there is as {@code existence} says; answers what was saved. */
  public R save(Transaction tx, R record, Existence existence) {
    if (type.codec() instanceof DynamicCodec) {
      var unused =
          records.primaryKey(record); // refuses one that is absent, which the zero would hide
    }
    R filled = type.codec().withDefaults(record, records.now());
    Tuple pk = records.primaryKey(filled);
    try {
      prepareSave(tx, filled, pk, existence, change -> {}).apply();
    } catch (UniquenessException taken) {
      if (!removeIfExpired(tx, taken.existing())) {
        throw taken;
      }
      return save(tx, record, existence);
    }
    return filled;
  }

  private Pending prepareSave(
      Transaction tx, R record, Tuple pk, Existence existence, Consumer<Change> alsoCheck) {
    SpaceState state = space.writableState(tx);
    RecordKey key = state.type(type.name()).keys().record(pk);
    Found<R> found = null;
    Pending refusedGoes = () -> {};
    boolean alive;
    try {
      found = readToChange(tx, state, key, pk);
      alive = found != null && !records.isExpired(found.record());
    } catch (RefusedRecordException refused) {
      Records<?> classless = classless(refused);
      alive = classless.load(tx, pk).isPresent();
      refusedGoes = classless.writes().prepareDelete(tx, pk);
    }
    return prepareSave(
        tx, state, key, new Before<>(found, alive, refusedGoes), record, pk, existence, alsoCheck);
  }

  /**
   * What is there before a save.
   *
   * @param found the record; null for none, or for one that its class refuses
   * @param alive whether there is one that has not expired
   * @param refusedGoes deletes the one that its class refuses
   */
  private record Before<R>(@Nullable Found<R> found, boolean alive, Pending refusedGoes) {}

  private Pending prepareSave(
      Transaction tx,
      SpaceState state,
      RecordKey key,
      Before<R> there,
      R record,
      Tuple pk,
      Existence existence,
      Consumer<Change> alsoCheck) {
    OpenType open = state.type(type.name());
    Found<R> found = there.found();
    boolean alive = there.alive();
    if (existence == Existence.ABSENT && alive) {
      throw new RecordExistsException(type.name(), pk);
    }
    if (existence == Existence.PRESENT && !alive) {
      throw new RecordMissingException(type.name(), pk);
    }
    byte[] encoded = stored.encode(record, alive ? found : null);
    stored.checkSize(key, encoded, pk);
    Image before = found == null ? null : image(found);
    List<Change> changes = IndexWriter.changes(tx, open, before, new Image(record, encoded, 0), pk);
    for (Change change : changes) {
      change.check(tx, pk);
      alsoCheck.accept(change);
    }
    return () -> {
      there.refusedGoes().apply();
      for (Change change : changes) {
        change.remove(tx, pk);
      }
      if (found == null || !found.isStoredAs(encoded)) {
        stored.write(tx, key, encoded, found);
      }
      Wire after = new Wire(encoded);
      capture.changed(tx, state, type.name(), key, wire(found), !alive, after);
      if (type.spec().versions()) {
        space.stampVersion(tx, key);
      }
      for (Change change : changes) {
        change.add(tx, pk);
      }
      ChangedEntries.count(tx, space, state, type.name(), found == null, changes);
      space.activity().save();
    };
  }

  /** The same records without their class, which {@code refused} one of them. */
  Records<?> classless(RefusedRecordException refused) {
    if (type.codec() instanceof DynamicCodec) {
      throw refused;
    }
    Space untyped = space.untyped();
    return Records.of(untyped, untyped.schema().type(type.name()).orElseThrow());
  }

  /** The record with {@code key}, which is about to be changed. */
  private @Nullable Found<R> readToChange(
      Transaction tx, SpaceState state, RecordKey key, Tuple pk) {
    byte[] main = capture.fetch(tx, state, type.name(), key);
    return main == null ? null : stored.decode(tx, key, main, pk);
  }

  private static Image image(Found<?> found) {
    return new Image(found.record(), found.bytes(), found.start());
  }

  private @Nullable Wire wire(@Nullable Found<R> found) {
    return found == null ? null : new Wire(found.bytes(), found.start());
  }

  /**
   * Deletes the record with {@code pk} and whatever its relationships say; answers whether it was
   * there.
   */
  public boolean delete(Transaction tx, Tuple pk) {
    SpaceState state = space.writableState(tx);
    RecordKey key = state.type(type.name()).keys().record(pk);
    try {
      Found<R> found = readToChange(tx, state, key, pk);
      if (found == null) {
        return false;
      }
      remove(tx, state, key, found, pk);
      return !records.isExpired(found.record());
    } catch (RefusedRecordException refused) {
      return classless(refused).writes().delete(tx, pk);
    }
  }

  private void remove(Transaction tx, SpaceState state, RecordKey key, Found<R> found, Tuple pk) {
    if (relations.isEmpty()) {
      prepareDelete(tx, state, key, found, pk).apply();
      space.activity().delete(1);
    } else {
      DeletePlan.of(space, tx, type, List.of(pk)).forEach(Pending::apply);
    }
  }

  /** The delete of the one record with {@code pk}. Who asks for it counts it. */
  Pending prepareDelete(Transaction tx, Tuple pk) {
    SpaceState state = space.writableState(tx);
    RecordKey key = state.type(type.name()).keys().record(pk);
    Found<R> found;
    try {
      found = readToChange(tx, state, key, pk);
    } catch (RefusedRecordException refused) {
      return classless(refused).writes().prepareDelete(tx, pk);
    }
    return found == null ? () -> {} : prepareDelete(tx, state, key, found, pk);
  }

  private Pending prepareDelete(
      Transaction tx, SpaceState state, RecordKey key, Found<R> found, Tuple pk) {
    OpenType open = state.type(type.name());
    boolean expired = records.isExpired(found.record());
    List<Change> changes = IndexWriter.changes(tx, open, image(found), null, pk);
    return () -> {
      for (Change change : changes) {
        change.remove(tx, pk);
      }
      erase(tx, key, found);
      capture.changed(tx, state, type.name(), key, wire(found), expired, null);
      ChangedEntries.count(tx, space, state, type.name(), true, changes);
    };
  }

  /**
   * The record with {@code pk} without the references in {@code lost}; {@code claims} is of all
   * that are changed with it.
   */
  Pending prepareUnlink(Transaction tx, Tuple pk, List<DeletePlan.Lost> lost, Claims claims) {
    RecordKey key = space.writableState(tx).type(type.name()).keys().record(pk);
    Found<R> found;
    try {
      found = stored.read(tx, key, pk);
    } catch (RefusedRecordException refused) {
      return classless(refused).writes().prepareUnlink(tx, pk, lost, claims);
    }
    if (found == null) {
      return () -> {};
    }
    R record = found.record();
    for (DeletePlan.Lost one : lost) {
      record = type.codec().with(record, one.field(), without(record, one));
    }
    return prepareSave(tx, record, pk, Existence.ANY, change -> claims.take(change, pk));
  }

  /** What is left in a field without one key: null, or the other elements. */
  private @Nullable Object without(R record, DeletePlan.Lost lost) {
    FieldType fieldType = type.spec().field(lost.field()).orElseThrow().type();
    Object value = type.codec().get(record, lost.field());
    return switch (fieldType) {
      case FieldType.ListOf list ->
          others((Collection<?>) value, list.element(), lost.target()).toList();
      case FieldType.SetOf set ->
          others((Collection<?>) value, set.element(), lost.target()).collect(Collectors.toSet());
      case FieldType.Scalar scalar -> null;
      case FieldType.Constants constants -> null;
      case FieldType.Nested nested -> throw new AssertionError(nested.name());
      case FieldType.MapOf map -> throw new AssertionError("a map");
    };
  }

  private static Stream<?> others(@Nullable Collection<?> all, FieldType element, Tuple target) {
    return all == null
        ? Stream.empty()
        : all.stream().filter(one -> !Tuple.of(KeyElements.element(element, one)).equals(target));
  }

  /** Deletes the record with {@code pk} if it has expired; answers whether it did. */
  boolean removeIfExpired(Transaction tx, Tuple pk) {
    SpaceState state = space.writableState(tx);
    RecordKey key = state.type(type.name()).keys().record(pk);
    Found<R> found;
    try {
      found = readToChange(tx, state, key, pk);
    } catch (RefusedRecordException refused) {
      return classless(refused).writes().removeIfExpired(tx, pk);
    }
    if (found == null || !records.isExpired(found.record())) {
      return false;
    }
    remove(tx, state, key, found, pk);
    return true;
  }

  /** Deletes the records whose primary keys begin with {@code prefix}. */
  public void deleteStartingWith(Transaction tx, Tuple prefix) {
    new RangeDelete<>(space, type).run(tx, KeySpan.startingWith(prefix));
  }

  /** Deletes the records whose primary keys are from {@code from} on and before {@code to}. */
  public void deleteBetween(Transaction tx, Tuple from, Tuple to) {
    new RangeDelete<>(space, type).run(tx, KeySpan.between(from, to));
  }

  private void erase(Transaction tx, RecordKey key, Found<R> found) {
    if (found.inPieces()) {
      tx.clear(key.all());
    } else {
      tx.clear(key.main());
    }
    if (type.spec().versions()) {
      tx.clear(key.version());
    }
  }
}
