package dev.tidemark.partitions;

import dev.tidemark.partitions.etcd.EtcdForTests;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The suite of a cluster, with the control rows in etcd. */
class EtcdClusterTest extends ClusterTest {
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
  Cluster cluster() {
    return new Cluster(etcd.rows());
  }
}
