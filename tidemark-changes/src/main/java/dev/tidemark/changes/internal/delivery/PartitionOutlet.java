package dev.tidemark.changes.internal.delivery;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A lane for each partition. */
final class PartitionOutlet implements Outlet {
  private final Lane.Setting setting;
  private final int concurrency;
  private final int most;
  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();

  PartitionOutlet(Lane.Setting setting, int concurrency, int most) {
    this.setting = setting;
    this.concurrency = concurrency;
    this.most = most;
  }

  @Override
  public void add(PendingDelivery delivery) {
    lane(delivery).add(List.of(delivery));
  }

  @Override
  public void add(List<PendingDelivery> deliveries) {
    lane(deliveries.getFirst()).addEach(deliveries);
  }

  private Lane lane(PendingDelivery delivery) {
    Lane lane = lanes.get(delivery.token());
    return lane == null
        ? lanes.computeIfAbsent(delivery.token(), token -> new Lane(setting, concurrency, most))
        : lane;
  }

  @Override
  public void forget(String token) {
    // While a call goes on the lane stays: who claims the partition again must wait for it.
    lanes.computeIfPresent(token, (each, lane) -> lane.isIdle() ? null : lane);
  }

  @Override
  public void wake() {
    lanes.values().forEach(Lane::wake);
  }
}
