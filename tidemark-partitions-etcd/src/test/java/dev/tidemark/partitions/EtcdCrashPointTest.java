package dev.tidemark.partitions;

import dev.tidemark.coordination.RowStore;
import dev.tidemark.partitions.etcd.EtcdForTests;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Managers end after every write of every operation, with the control rows in etcd. */
class EtcdCrashPointTest extends CrashPointTest {
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
  Optional<RowStore> controlRows() {
    return Optional.of(etcd.rows());
  }
}
