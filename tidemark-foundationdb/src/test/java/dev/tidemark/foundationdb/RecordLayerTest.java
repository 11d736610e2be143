package dev.tidemark.foundationdb;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.record.EvaluationContext;
import com.apple.foundationdb.record.ExecuteProperties;
import com.apple.foundationdb.record.FunctionNames;
import com.apple.foundationdb.record.IndexEntry;
import com.apple.foundationdb.record.IndexScanType;
import com.apple.foundationdb.record.IsolationLevel;
import com.apple.foundationdb.record.RecordMetaData;
import com.apple.foundationdb.record.ScanProperties;
import com.apple.foundationdb.record.TupleRange;
import com.apple.foundationdb.record.metadata.Index;
import com.apple.foundationdb.record.metadata.IndexAggregateFunction;
import com.apple.foundationdb.record.metadata.Key;
import com.apple.foundationdb.record.provider.foundationdb.FDBDatabase;
import com.apple.foundationdb.record.provider.foundationdb.FDBDatabaseFactory;
import com.apple.foundationdb.record.provider.foundationdb.FDBRecordContext;
import com.apple.foundationdb.record.provider.foundationdb.FDBRecordStore;
import com.apple.foundationdb.record.provider.foundationdb.FDBStoredRecord;
import com.apple.foundationdb.record.provider.foundationdb.OnlineIndexer;
import com.apple.foundationdb.record.provider.foundationdb.keyspace.DirectoryLayerDirectory;
import com.apple.foundationdb.record.provider.foundationdb.keyspace.KeySpace;
import com.apple.foundationdb.record.provider.foundationdb.keyspace.KeySpaceDirectory;
import com.apple.foundationdb.record.provider.foundationdb.keyspace.KeySpaceDirectory.KeyType;
import com.apple.foundationdb.record.provider.foundationdb.keyspace.KeySpacePath;
import com.apple.foundationdb.record.query.RecordQuery;
import com.apple.foundationdb.record.query.expressions.Query;
import com.apple.foundationdb.record.query.expressions.QueryComponent;
import com.apple.foundationdb.record.query.plan.plans.RecordQueryPlan;
import com.apple.foundationdb.tuple.Tuple;
import com.google.protobuf.Message;
import dev.tidemark.embedded.EmbeddedDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Apple's Record Layer, unchanged, on our store. */
@Timeout(120)
class RecordLayerTest {
  private static final KeySpace KEY_SPACE =
      new KeySpace(
          new KeySpaceDirectory("application", KeyType.STRING, "shop")
              .addSubdirectory(new DirectoryLayerDirectory("tenant")));
  private static final int ORDERS = 200;

  @TempDir Path directory;
  private EmbeddedDatabase store;
  private FDBDatabase records;

  @BeforeEach
  void open() {
    store = EmbeddedDatabase.open(directory);
    FdbFacade.install(store);
    FDBDatabaseFactory factory = FDBDatabaseFactory.instance();
    factory.clear();
    records = factory.getDatabase();
  }

  @AfterEach
  void close() {
    records.close();
    store.close();
  }

  private static KeySpacePath path() {
    return KEY_SPACE.path("application").add("tenant", "acme");
  }

  private <T> T inStore(RecordMetaData metaData, Function<FDBRecordStore, T> work) {
    return records.run(context -> work.apply(openStore(context, metaData)));
  }

  private <T> T inStore(Function<FDBRecordStore, T> work) {
    return inStore(Orders.metaData(), work);
  }

  private static FDBRecordStore openStore(FDBRecordContext context, RecordMetaData metaData) {
    return FDBRecordStore.newBuilder()
        .setContext(context)
        .setMetaDataProvider(metaData)
        .setKeySpacePath(path())
        .createOrOpen();
  }

  /** Orders 0 to 199 of three customers, priced 0 to 99 twice, in ten transactions. */
  private void save() {
    for (int batch = 0; batch < 10; batch++) {
      int first = batch * ORDERS / 10;
      inStore(
          recordStore -> {
            for (int id = first; id < first + ORDERS / 10; id++) {
              String note = id % 50 == 0 ? "deliver by the quick brown fox" : "ordinary mail";
              recordStore.saveRecord(Orders.order(id, "customer" + id % 3, id % 100, note));
            }
            return true;
          });
    }
  }

  private List<Long> query(FDBRecordStore recordStore, QueryComponent filter, String planned) {
    RecordQueryPlan plan =
        recordStore.planQuery(
            RecordQuery.newBuilder().setRecordType("Order").setFilter(filter).build());
    assertThat(plan.toString()).contains(planned);
    return plan.execute(recordStore, EvaluationContext.EMPTY)
        .map(found -> Orders.id(found.getRecord()))
        .asList()
        .join();
  }

  private static long aggregate(
      FDBRecordStore recordStore, String function, Index index, String customer) {
    Tuple result =
        recordStore
            .evaluateAggregateFunction(
                List.of("Order"),
                new IndexAggregateFunction(function, index.getRootExpression(), index.getName()),
                Key.Evaluated.scalar(customer),
                IsolationLevel.SERIALIZABLE)
            .join();
    return result.getLong(0);
  }

  private FDBStoredRecord<Message> load(long id) {
    return inStore(s -> requireNonNull(s.loadRecord(Tuple.from(id))));
  }

  private long count(String customer) {
    return inStore(s -> aggregate(s, FunctionNames.COUNT, Orders.COUNT, customer));
  }

  @Test
  void savedRecordIsLoadedByItsKeyAndDeleted() {
    save();
    assertThat(load(42).getRecord()).isEqualTo(Orders.order(42, "customer0", 42, "ordinary mail"));
    boolean deleted = inStore(s -> s.deleteRecord(Tuple.from(42L)));
    boolean exists = inStore(s -> s.recordExists(Tuple.from(42L)));
    assertThat(deleted).isTrue();
    assertThat(exists).isFalse();
    assertThat(count("customer0")).isEqualTo(66);
  }

  @Test
  void plannerUsesTheValueIndex() {
    save();
    List<Long> ids =
        inStore(
            s ->
                query(s, Query.field("price").greaterThanOrEquals(98L), Orders.BY_PRICE.getName()));
    assertThat(ids).containsExactly(98L, 198L, 99L, 199L);
  }

  @Test
  void countAndSumAreKept() {
    save();
    assertThatCountAndSumAreKept();
  }

  private void assertThatCountAndSumAreKept() {
    long sum = inStore(s -> aggregate(s, FunctionNames.SUM, Orders.SUM, "customer1"));
    long expected = 0;
    for (int id = 1; id < ORDERS; id += 3) {
      expected += id % 100;
    }
    assertThat(count("customer1")).isEqualTo(67);
    assertThat(sum).isEqualTo(expected);
  }

  @Test
  void ranksAreKept() {
    save();
    assertThatRanksAreKept();
  }

  private void assertThatRanksAreKept() {
    List<Tuple> cheapest =
        inStore(
            s ->
                s.scanIndex(
                        s.getRecordMetaData().getIndex(Orders.RANK.getName()),
                        IndexScanType.BY_RANK,
                        TupleRange.allOf(Tuple.from(7L)),
                        null,
                        ScanProperties.FORWARD_SCAN)
                    .map(IndexEntry::getKey)
                    .asList()
                    .join());
    assertThat(cheapest).containsExactly(Tuple.from(7L, 7L), Tuple.from(7L, 107L));
  }

  @Test
  void versionsFollowTheOrderOfCommits() {
    save();
    assertThatVersionsFollowTheOrderOfCommits();
  }

  private void assertThatVersionsFollowTheOrderOfCommits() {
    List<Long> ids =
        inStore(
            s ->
                s.scanIndex(
                        s.getRecordMetaData().getIndex(Orders.VERSION.getName()),
                        IndexScanType.BY_VALUE,
                        TupleRange.ALL,
                        null,
                        ScanProperties.FORWARD_SCAN)
                    .map(entry -> entry.getKey().getLong(1))
                    .asList()
                    .join());
    assertThat(ids).hasSize(ORDERS).isSorted();
    assertThat(requireNonNull(load(3).getVersion()).isComplete()).isTrue();
  }

  @Test
  void wordsAreFound() {
    save();
    assertThatWordsAreFound();
  }

  private void assertThatWordsAreFound() {
    List<Long> ids =
        inStore(
            s ->
                query(
                    s, Query.field("note").text().containsAll("quick fox"), Orders.TEXT.getName()));
    assertThat(ids).containsExactlyInAnyOrder(0L, 50L, 100L, 150L);
  }

  @Test
  void indexIsBuiltOnlineAndThenUsed() {
    save();
    RecordMetaData next = Orders.metaDataWithOneMoreIndex();
    Index index = next.getIndex(Orders.BY_CUSTOMER.getName());
    records.run(
        context -> {
          return openStore(context, next).markIndexWriteOnly(index).join();
        });
    try (OnlineIndexer indexer =
        OnlineIndexer.newBuilder()
            .setDatabase(records)
            .setMetaData(next)
            .setIndex(index)
            .setSubspaceProvider(
                records.run(context -> openStore(context, next).getSubspaceProvider()))
            .setLimit(30)
            .build()) {
      indexer.buildIndex();
    }
    List<Long> ids =
        inStore(
            next, s -> query(s, Query.field("customer").equalsValue("customer2"), index.getName()));
    assertThat(ids).hasSize(66).allMatch(id -> id % 3 == 2);
  }

  @Test
  void storeSurvivesTheReopeningOfItsDirectory() {
    save();
    close();
    open();
    assertThat(load(199).getRecord())
        .isEqualTo(Orders.order(199, "customer1", 99, "ordinary mail"));
    List<Long> ids =
        inStore(s -> query(s, Query.field("price").equalsValue(5L), Orders.BY_PRICE.getName()));
    assertThat(ids).containsExactly(5L, 105L);
    assertThatCountAndSumAreKept();
    assertThatRanksAreKept();
    assertThatVersionsFollowTheOrderOfCommits();
    assertThatWordsAreFound();
  }

  private int tenants() {
    return records.run(
        context -> KEY_SPACE.path("application").listSubdirectory(context, "tenant").size());
  }

  @Test
  void keySpacePathLeadsToTheSamePlaceAndBack() {
    Tuple first = records.run(context -> path().toTuple(context));
    Tuple second = records.run(context -> path().toTuple(context));
    assertThat((Object) first).isEqualTo(second);
    assertThat(first.get(1)).isInstanceOf(Long.class);
    String back =
        records.run(context -> KEY_SPACE.resolveFromKey(context, first).toPath().toString());
    assertThat(back).contains("acme");
    assertThat(tenants()).isZero();
    save();
    assertThat(tenants()).isEqualTo(1);
  }

  @Test
  void scanGoesOnWithAContinuation() {
    save();
    ScanProperties ten =
        ExecuteProperties.newBuilder().setReturnedRowLimit(10).build().asScanProperties(false);
    byte[] continuation = null;
    int pages = 0;
    int rows = 0;
    do {
      byte[] from = continuation;
      var page =
          inStore(
              s -> {
                var cursor = s.scanRecords(from, ten);
                int found = 0;
                var result = cursor.getNext();
                for (; result.hasNext(); result = cursor.getNext()) {
                  found++;
                }
                return Tuple.from(found, result.getContinuation().toBytes());
              });
      rows += (int) page.getLong(0);
      continuation = page.getBytes(1);
      pages++;
    } while (continuation != null);
    assertThat(rows).isEqualTo(ORDERS);
    assertThat(pages).isGreaterThanOrEqualTo(ORDERS / 10);
  }
}
