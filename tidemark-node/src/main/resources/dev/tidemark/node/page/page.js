// Shows the states that the demo sends. A state is whole: nothing here depends on having seen the one before,
// except the rates, which need two.

const LAYERS = [
  ["published", "published"],
  ["saved", "saved by workers"],
  ["counted", "counted by actors"],
  ["loaded", "rows of the warehouse"],
];
const CHART_SECONDS = 60;
const WIDTH = 600;
const HEIGHT = 120;
const RATE_OVER_SECONDS = 2;

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const byId = (id) => document.getElementById(id);
const samples = [];

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function clock(minute) {
  return String(Math.floor(minute / 60)).padStart(2, "0") + ":" + String(minute % 60).padStart(2, "0");
}

function show(state) {
  showPhase(state);
  if (state.published !== undefined) {
    showLayers(state);
    showPartitions(state);
    showTown(state);
    showAlerts(state);
    byId("messages").textContent =
      `${whole.format(state.again)} readings came twice, ${whole.format(state.late)} late, ${whole.format(state.broken)} messages were broken`;
  }
  byId("said").replaceChildren(
    ...state.said.toReversed().map((one) => element("li", `${one.at.toFixed(0)} s  ${one.text}`)));
  showAudit(state);
}

function showPhase(state) {
  const texts = {
    PUBLISHING: `${state.meters} meters publish; second ${state.at.toFixed(0)} of ${state.of}`,
    DRAINING: "nothing more is published; the layers catch up",
    AUDITING: "the numbers of all layers are compared",
    ENDED: "the run has ended; these are its last numbers",
  };
  byId("phase").textContent = texts[state.phase];
  byId("progress").value = state.phase === "PUBLISHING" ? state.at / state.of : 1;
  for (const button of document.querySelectorAll("button")) button.disabled = state.phase !== "PUBLISHING";
}

function showLayers(state) {
  const last = samples.at(-1);
  if (state.phase !== "ENDED" && (!last || state.at - last.at > 0.1)) {
    samples.push({ at: state.at, ...Object.fromEntries(LAYERS.map(([key]) => [key, state[key]])) });
    while (samples[0].at < state.at - CHART_SECONDS - RATE_OVER_SECONDS) samples.shift();
  }
  for (const [key] of LAYERS) {
    byId("n-" + key).textContent = whole.format(state[key]);
    byId("r-" + key).textContent =
      samples.length > 1 && state.phase === "PUBLISHING" ? whole.format(rate(samples.length - 1, key)) + " a second" : "";
  }
  byId("kill").disabled ||= state.workers.every((one) => one.alive) === false;
  byId("workers").replaceChildren(
    ...state.workers.map((one) => element("li", one.name, one.alive ? "" : "dead")));
  showChart();
}

function rate(index, key) {
  const now = samples[index];
  let from = index;
  while (from > 0 && now.at - samples[from].at < RATE_OVER_SECONDS) from--;
  const before = samples[from];
  return now.at > before.at ? (now[key] - before[key]) / (now.at - before.at) : 0;
}

function showChart() {
  if (samples.length < 2) return;
  const end = Math.max(samples.at(-1).at, 10);
  const begin = Math.max(samples[0].at, end - CHART_SECONDS);
  const rates = LAYERS.map(([key]) => samples.map((sample, i) => [sample.at, i === 0 ? 0 : rate(i, key)]));
  const top = Math.max(1, ...rates.flat().map(([, value]) => value)) * 1.1;
  const lines = rates.map((points, i) => {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
    line.setAttribute("class", "s-" + LAYERS[i][0]);
    line.setAttribute("points", points.slice(1).filter(([at]) => at >= begin)
      .map(([at, value]) => `${((at - begin) / (end - begin)) * WIDTH},${HEIGHT - (value / top) * HEIGHT}`).join(" "));
    return line;
  });
  byId("chart").replaceChildren(...lines);
  byId("legend").replaceChildren(
    element("span", `readings a second, up to ${whole.format(top)}`),
    ...LAYERS.map(([key, name]) => {
      const entry = element("span", name);
      entry.prepend(element("i", "", "s-" + key));
      return entry;
    }));
}

function showPartitions(state) {
  const nodes = [...new Set(state.partitions.map((one) => one.node))].sort();
  byId("partitions").replaceChildren(...state.partitions.map((one) => {
    const to = one.to ?? state.meters;
    const block = element("div", "", "node-" + (nodes.indexOf(one.node) % 3));
    const known = one.from !== null && to > one.from;
    if (known) block.style.flexGrow = to - one.from;
    block.append(element("div", one.node), known ? `${one.from} to ${to - 1}` : one.id);
    block.title = `partition ${one.id} on ${one.node}`;
    return block;
  }));
}

function showTown(state) {
  byId("clock").textContent = clock(state.minute);
  byId("areas").replaceChildren(...state.areas.map((area) => {
    const row = document.createElement("tr");
    row.append(
      element("td", area.name),
      element("td", whole.format(area.readings)),
      element("td", whole.format(area.energy / 1000)),
      element("td", whole.format(area.peak)),
      element("td", (area.power / 1000).toFixed(1)));
    return row;
  }));
}

function showAlerts(state) {
  byId("n-alerts").textContent = whole.format(state.alerts);
  byId("n-unsent").textContent = whole.format(state.unsent);
  byId("now-threshold").textContent = whole.format(state.threshold);
  byId("alerts").replaceChildren(...state.lastAlerts.map((one) => element("li",
    `${clock(one.minute)}  meter ${one.meter}: ${whole.format(one.power)} W, above ${whole.format(one.threshold)} W; ${one.noticed ? "notice sent" : "notice on its way"}`)));
}

function showAudit(state) {
  byId("audit-section").hidden = !state.audit;
  if (state.audit) {
    byId("audit").replaceChildren(...state.audit.map((check) => check.ok
      ? element("li", check.lines[0].replace(/^ok\s+/, ""), "ok")
      : element("li", check.lines.join("\n").replace(/^FAIL\s+/, ""), "bad")));
    byId("line").textContent = state.line;
  }
}

async function order(name, value) {
  const reply = await fetch("order/" + name, { method: "POST", body: value, headers: { "Tidemark-Order": "1" } });
  byId("answer").textContent = reply.ok ? "" : await reply.text();
}

byId("threshold-form").addEventListener("submit", (event) => {
  event.preventDefault();
  order("threshold", byId("threshold").value);
});
byId("kill").addEventListener("click", () => order("kill", ""));

let ended = false;
const live = new EventSource("live");
live.onmessage = (event) => {
  const state = JSON.parse(event.data);
  ended = state.phase === "ENDED";
  show(state);
  if (ended) live.close();
};
live.onerror = () => {
  if (!ended) byId("phase").textContent = "The demo does not answer; it may have ended";
};
