package dev.tidemark.records.internal.format;

import dev.tidemark.kv.tuple.Tuple;
import dev.tidemark.records.DamagedRecordException;
import dev.tidemark.records.maintenance.IndexState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The header of a store, in one key. Every writer of a record has it in its read set, so a change
 * of any state conflicts with all transactions that relied on the old one.
 *
 * @param schemaVersion the version of the schema
 * @param schemaHash distinguishes schemas of one version
 * @param types the number of each type in keys
 * @param indexes the description of each index
 * @param nextId the next number for a type, an index or a stream; numbers are never reused
 * @param streams the change streams
 * @param older the schemas of earlier versions that programs may still use
 */
public record Header(
    int schemaVersion,
    long schemaHash,
    Map<String, Integer> types,
    Map<String, IndexInfo> indexes,
    int nextId,
    List<StreamInfo> streams,
    List<Older> older) {
  /** The format without change streams. */
  static final int FORMAT = 1;

  /**
   * The format with change streams. A library without streams refuses it, so that it writes nothing
   * that they miss.
   */
  static final int FORMAT_WITH_STREAMS = 2;

  /**
   * The format of a store that programs with older schemas may use. A library that does not support
   * them refuses it.
   */
  static final int FORMAT_WITH_OLDER = 3;

  /**
   * The format with indexes whose rows have a newer form; the newest that this code reads. A
   * library that knows only the first forms refuses it.
   */
  static final int FORMAT_WITH_FORMS = 4;

  /** The largest number of earlier versions that are admitted. */
  private static final int OLDER_MAX = 16;

  /**
   * The schema of an earlier version.
   *
   * @param version its version
   * @param hash distinguishes schemas of one version
   */
  public record Older(int version, long hash) {}

  /**
   * The description of an index.
   *
   * @param id its number in keys
   * @param state its state
   * @param since the version of the schema with which it came or was last redefined
   * @param copy the number in keys of the copy that a scrub builds to compare; 0 for none
   * @param form the form of its rows, among those that its kind has had; 0 for the first
   */
  public record IndexInfo(int id, IndexState state, int since, int copy, int form) {
    /** No copy. */
    public static final int NO_COPY = 0;

    /** An index without a copy. */
    public IndexInfo(int id, IndexState state, int since, int form) {
      this(id, state, since, NO_COPY, form);
    }

    /** Whether there is a copy. */
    public boolean hasCopy() {
      return copy != NO_COPY;
    }

    /** This index in another state. */
    public IndexInfo withState(IndexState other) {
      return new IndexInfo(id, other, since, copy, form);
    }

    /** This index with another copy, or with {@link #NO_COPY}. */
    public IndexInfo withCopy(int other) {
      return new IndexInfo(id, state, since, other, form);
    }

    /** This index after its copy has replaced it. */
    public IndexInfo replacedByCopy() {
      return new IndexInfo(copy, state, since, form);
    }

    private Tuple toTuple(String name) {
      Tuple tuple = Tuple.of(name, id, Codes.INDEX_STATES.of(state), since);
      return form != 0 ? tuple.append(copy).append(form) : hasCopy() ? tuple.append(copy) : tuple;
    }

    private static IndexInfo parse(Tuple tuple) {
      return new IndexInfo(
          tuple.getInt(1),
          Codes.INDEX_STATES.constant(tuple.getInt(2)),
          tuple.getInt(3),
          tuple.size() > 4 ? tuple.getInt(4) : NO_COPY,
          tuple.size() > 5 ? tuple.getInt(5) : 0);
    }
  }

  /** Copies the maps, in their order. */
  public Header {
    types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
    indexes = Collections.unmodifiableMap(new LinkedHashMap<>(indexes));
    streams = List.copyOf(streams);
    older = List.copyOf(older);
  }

  /** The header of a store that admits no older schemas. */
  public Header(
      int schemaVersion,
      long schemaHash,
      Map<String, Integer> types,
      Map<String, IndexInfo> indexes,
      int nextId,
      List<StreamInfo> streams) {
    this(schemaVersion, schemaHash, types, indexes, nextId, streams, List.of());
  }

  /** Whether a program may use the schema {@code hash} of {@code version}. */
  public boolean admits(int version, long hash) {
    return older.contains(new Older(version, hash));
  }

  /** The admitted older schemas and the schema of this header. */
  public List<Older> olderAndThis() {
    List<Older> all = new ArrayList<>(older);
    all.add(new Older(schemaVersion, schemaHash));
    return all.subList(Math.max(0, all.size() - OLDER_MAX), all.size());
  }

  /** This header with other admitted older schemas. */
  public Header withOlder(List<Older> others) {
    return new Header(schemaVersion, schemaHash, types, indexes, nextId, streams, others);
  }

  /** This header with {@code index}, which only the schema of the program has, as disabled. */
  public Header withAbsent(String index, int since) {
    Map<String, IndexInfo> seen = new LinkedHashMap<>(indexes);
    seen.put(index, new IndexInfo(IndexInfo.NO_COPY, IndexState.DISABLED, since, 0));
    return withIndexes(seen);
  }

  private Header withIndexes(Map<String, IndexInfo> others) {
    return new Header(schemaVersion, schemaHash, types, others, nextId, streams, older);
  }

  /** This header with {@code change} applied to the description of {@code index}. */
  public Header with(String index, UnaryOperator<IndexInfo> change) {
    Map<String, IndexInfo> changed = new LinkedHashMap<>(indexes);
    changed.computeIfPresent(index, (name, info) -> change.apply(info));
    return withIndexes(changed);
  }

  /** This header without {@code index}. */
  public Header without(String index) {
    Map<String, IndexInfo> left = new LinkedHashMap<>(indexes);
    left.remove(index);
    return withIndexes(left);
  }

  /** The number in keys of the type called {@code name}. */
  public int typeId(String name) {
    Integer id = types.get(name);
    if (id == null) {
      throw new IllegalStateException("The header has no type " + name);
    }
    return id;
  }

  /** The description of the index called {@code name}. */
  public IndexInfo index(String name) {
    IndexInfo info = indexes.get(name);
    if (info == null) {
      throw new IllegalStateException("The header has no index " + name);
    }
    return info;
  }

  /** This header with {@code index} in another state. */
  public Header withState(String index, IndexState state) {
    return with(index, info -> info.withState(state));
  }

  /** This header after {@link #nextId} has been assigned. */
  public Header withIdTaken() {
    return new Header(schemaVersion, schemaHash, types, indexes, nextId + 1, streams, older);
  }

  /** This header with other change streams. */
  public Header withStreams(List<StreamInfo> others, int next) {
    return new Header(schemaVersion, schemaHash, types, indexes, next, others, older);
  }

  public byte[] toBytes() {
    Tuple typeList = Tuple.EMPTY;
    for (Map.Entry<String, Integer> type : types.entrySet()) {
      typeList = typeList.nest(Tuple.of(type.getKey(), type.getValue()));
    }
    Tuple indexList = Tuple.EMPTY;
    for (Map.Entry<String, IndexInfo> index : indexes.entrySet()) {
      indexList = indexList.nest(index.getValue().toTuple(index.getKey()));
    }
    Tuple streamList = Tuple.EMPTY;
    for (StreamInfo stream : streams) {
      streamList = streamList.nest(stream.toTuple());
    }
    Tuple olderList = Tuple.EMPTY;
    for (Older each : older) {
      olderList = olderList.nest(Tuple.of(each.version(), each.hash()));
    }
    int format = format();
    Tuple header =
        Tuple.of(format, schemaVersion, schemaHash, nextId).nest(typeList).nest(indexList);
    return switch (format) {
      case FORMAT -> header.pack();
      case FORMAT_WITH_STREAMS -> header.nest(streamList).pack();
      default -> header.nest(streamList).nest(olderList).pack();
    };
  }

  private int format() {
    if (indexes.values().stream().anyMatch(index -> index.form() != 0)) {
      return FORMAT_WITH_FORMS;
    }
    if (!older.isEmpty()) {
      return FORMAT_WITH_OLDER;
    }
    return streams.isEmpty() ? FORMAT : FORMAT_WITH_STREAMS;
  }

  public static Header parse(byte[] bytes) {
    Tuple tuple = Tuple.unpack(bytes);
    int format = tuple.getInt(0);
    if (format < FORMAT || format > FORMAT_WITH_FORMS) {
      throw new DamagedRecordException(
          "The store has format %d; this version of Tidemark reads format %d. Use a newer one"
              .formatted(format, FORMAT_WITH_FORMS));
    }
    Map<String, Integer> types = new LinkedHashMap<>();
    Tuple typeList = tuple.getTuple(4);
    for (int i = 0; i < typeList.size(); i++) {
      types.put(typeList.getTuple(i).getString(0), typeList.getTuple(i).getInt(1));
    }
    Map<String, IndexInfo> indexes = new LinkedHashMap<>();
    Tuple indexList = tuple.getTuple(5);
    for (int i = 0; i < indexList.size(); i++) {
      Tuple info = indexList.getTuple(i);
      indexes.put(info.getString(0), IndexInfo.parse(info));
    }
    List<StreamInfo> streams = new ArrayList<>();
    Tuple streamList = format == FORMAT ? Tuple.EMPTY : tuple.getTuple(6);
    for (int i = 0; i < streamList.size(); i++) {
      streams.add(StreamInfo.parse(streamList.getTuple(i)));
    }
    List<Older> older = new ArrayList<>();
    Tuple olderList = format < FORMAT_WITH_OLDER ? Tuple.EMPTY : tuple.getTuple(7);
    for (int i = 0; i < olderList.size(); i++) {
      older.add(new Older(olderList.getTuple(i).getInt(0), olderList.getTuple(i).getLong(1)));
    }
    return new Header(
        tuple.getInt(1), tuple.getLong(2), types, indexes, tuple.getInt(3), streams, older);
  }
}
