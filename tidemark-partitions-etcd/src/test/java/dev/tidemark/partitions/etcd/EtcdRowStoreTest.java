package dev.tidemark.partitions.etcd;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.coordination.RowStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class EtcdRowStoreTest extends RowStoreContract {
  private static EtcdForTests etcd;

  @BeforeAll
  static void start() {
    etcd = EtcdForTests.start();
  }

  @AfterAll
  static void stop() {
    if (etcd != null) {
      etcd.close();
    }
  }

  @Override
  protected RowStore open() {
    return etcd.rows();
  }
}
