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
const RATE_OVER_SECONDS = 3;

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const byId = (id) => document.getElementById(id);
const samples = [];
let edited = false;

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function clock(minute) {
  return String(Math.floor(minute / 60)).padStart(2, "0") + ":" + String(minute % 60).padStart(2, "0");
}

/** Elements side by side in a row of a list. */
function row(...texts) {
  const made = document.createElement("li");
  made.append(...texts.map((text) => element("span", text)));
  return made;
}

function showRows(id, rows) {
  byId(id).replaceChildren(...(rows.length > 0 ? rows : [element("li", "Nothing yet", "note")]));
}

function show(state) {
  showPhase(state);
  if (state.published !== undefined) {
    showLayers(state);
    showPartitions(state);
    showTown(state);
    showAlerts(state);
    showCommands(state);
    byId("messages").textContent =
      `Of the messages ${whole.format(state.again)} came twice, ${whole.format(state.late)} late, ${whole.format(state.broken)} were broken.`;
  }
  showRows("said", state.said.toReversed().map((one) => row(`${one.at.toFixed(0)} s`, one.text)));
  showAudit(state);
}

function showPhase(state) {
  const texts = {
    PUBLISHING: `${state.meters} ${state.meters === 1 ? "meter publishes" : "meters publish"}`,
    DRAINING: "Nothing more is published; the layers catch up",
    AUDITING: "The numbers of all layers are compared",
    ENDED: "The run has ended; these are its last numbers",
  };
  const publishing = state.phase === "PUBLISHING";
  say(texts[state.phase]);
  byId("second").textContent = publishing ? `· ${Math.min(state.at, state.of).toFixed(0)} of ${state.of} s` : "";
  byId("progress").value = publishing ? state.at / state.of : 1;
  for (const button of document.querySelectorAll("button")) button.disabled = !publishing;
}

/** Not written again where it is the same: a screen reader would read it again. */
function say(phase) {
  if (byId("phase").textContent !== phase) byId("phase").textContent = phase;
}

function showLayers(state) {
  // Another run on the same port begins anew.
  if (samples.length > 0 && state.at < samples.at(-1).at) samples.length = 0;
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

/** The next of 100, 200, 500, 1,000, 2,000 and so on. */
function roundUp(value) {
  for (let top = 100; ; top *= 10) {
    for (const step of [1, 2, 3, 4, 5, 6, 8]) if (top * step >= value) return top * step;
  }
}

function showChart() {
  if (samples.length < 2) return;
  const end = Math.max(samples.at(-1).at, 10);
  const begin = Math.max(samples[0].at, end - CHART_SECONDS);
  const rates = LAYERS.map(([key]) => samples.map((sample, i) => [sample.at, i === 0 ? 0 : rate(i, key)]));
  const top = roundUp(Math.max(1, ...rates.flat().map(([, value]) => value)));
  const lines = rates.map((points, i) => {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
    line.setAttribute("class", "s-" + LAYERS[i][0]);
    line.setAttribute("points", points.slice(1).filter(([at]) => at >= begin)
      .map(([at, value]) => `${((at - begin) / (end - begin)) * WIDTH},${HEIGHT - (value / top) * HEIGHT}`).join(" "));
    return line;
  });
  byId("chart").replaceChildren(...lines);
  byId("top").textContent = `${whole.format(top)} readings a second`;
  byId("from").textContent = `${begin.toFixed(0)} s`;
  byId("to").textContent = `${end.toFixed(0)} s`;
  byId("legend").replaceChildren(
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
    const meters = known ? `${one.from} to ${to - 1}` : one.id;
    block.append(element("div", one.node), element("div", meters));
    block.title = `partition ${one.id} on ${one.node}: meters ${meters}`;
    return block;
  }));
}

function showTown(state) {
  byId("clock").textContent = clock(state.minute);
  const highest = Math.max(1, ...state.areas.map((area) => area.power));
  byId("areas").replaceChildren(...state.areas.map((area) => {
    const line = document.createElement("tr");
    line.append(
      element("td", area.name),
      element("td", whole.format(area.readings)),
      element("td", whole.format(Math.floor(area.energy / 1000))),
      element("td", whole.format(area.peak)),
      power(area.power, highest));
    return line;
  }));
}

function power(watts, highest) {
  const cell = element("td", (watts / 1000).toFixed(1));
  const bar = element("span", "", "load");
  const filled = element("i", "");
  filled.style.width = `${(100 * watts) / highest}%`;
  bar.append(filled);
  cell.prepend(bar);
  return cell;
}

function showCommands(state) {
  const ended = state.phase === "ENDED";
  byId("ask").textContent = ended
    ? "These worked while the demo ran. Now:"
    : "In another terminal, while the demo runs:";
  // Not made again at each state: nobody could select one.
  const shown = JSON.stringify([ended, state.commands, state.after]);
  const list = byId("commands");
  if (list.dataset.shown === shown) return;
  list.dataset.shown = shown;
  list.replaceChildren(...(ended ? state.after : state.commands).map((one) => {
    const item = element("li", one.what);
    item.append(element("code", one.command));
    return item;
  }));
}

function showAlerts(state) {
  byId("n-alerts").textContent = whole.format(state.alerts);
  byId("n-unsent").textContent = whole.format(state.unsent);
  byId("now-threshold").textContent = whole.format(state.threshold);
  if (!edited) byId("threshold").value = state.threshold;
  showRows("alerts", state.lastAlerts.map((one) => row(
    clock(one.minute),
    `meter ${one.meter}: ${whole.format(one.power)} W, above ${whole.format(one.threshold)} W`,
    one.noticed ? "sent" : "on its way")));
}

function showAudit(state) {
  byId("audit-section").hidden = !state.audit;
  if (state.audit) {
    const holds = state.audit.every((check) => check.ok);
    byId("audit-section").classList.toggle("fails", !holds);
    byId("audit-title").textContent = holds
      ? "The audit: every layer has every reading, once"
      : "The audit: the layers do not agree";
    document.title = holds ? "✓ Tidemark demo" : "✗ Tidemark demo";
    byId("audit").replaceChildren(...state.audit.map((check) => check.ok
      ? element("li", check.lines[0].replace(/^ok\s+/, ""), "ok")
      : element("li", check.lines.join("\n").replace(/^FAIL\s+/, ""), "bad")));
    byId("line").textContent = state.line;
  }
}

/** Asks for something to be done; whether it will be. */
async function order(name, value) {
  let refused = "";
  try {
    const reply = await fetch("order/" + name, { method: "POST", body: value, headers: { "Tidemark-Order": "1" } });
    if (!reply.ok) refused = await reply.text();
  } catch {
    refused = "The demo does not answer";
  }
  byId("answer").textContent = refused;
  return refused === "";
}

byId("threshold").addEventListener("input", () => (edited = true));
byId("threshold-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await order("threshold", byId("threshold").value)) edited = false;
});
byId("kill-form").addEventListener("submit", (event) => {
  event.preventDefault();
  order("kill", "");
});

let ended = false;
const live = new EventSource("live");
live.onmessage = (event) => {
  const state = JSON.parse(event.data);
  ended = state.phase === "ENDED";
  show(state);
  if (ended) live.close();
};
live.onerror = () => {
  if (ended) return;
  say("The demo does not answer; it may have ended");
  byId("second").textContent = "";
  for (const button of document.querySelectorAll("button")) button.disabled = true;
};
