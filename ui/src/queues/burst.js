// A burst as it is drawn: times in nanoseconds from its first moment, by the node's own clock.

const LANES = 12;

/** Colours of flows. None is red: that means lost. They keep apart for every kind of eye, on both papers. */
const LIGHT = ['#0b63a5', '#d98200', '#00805c', '#b0578d', '#3f9fd6', '#7a5a1e', '#5b4bb0', '#6f8f00', '#2b3f57', '#c28f6a', '#4aa79a', '#9a86c8'];
const DARK = ['#5aa9e6', '#f0b04a', '#4fc79b', '#dd92c0', '#9bd3f5', '#c5a468', '#a59bf0', '#b9d05a', '#8aa0bb', '#e0b896', '#86d6cc', '#cdbff0'];
export const flowColour = (rank, dark) => (rank === undefined || rank >= LANES ? 'var(--faint)' : (dark ? DARK : LIGHT)[rank]);

/**
 * What a packet tells of the queue was seen when it came in, if waiting is as long as the queue was deep: then it is drawn there. A node
 * that looks when the packet leaves gives no such proportion.
 */
function metOnEntering(packets) {
  const ratios = packets.filter((one) => one.latency > 0 && one.occupancy > 0).map((one) => one.latency / one.occupancy);
  if (ratios.length < 8) return false;
  const mean = ratios.reduce((a, b) => a + b, 0) / ratios.length;
  const spread = Math.sqrt(ratios.reduce((a, b) => a + (b - mean) ** 2, 0) / ratios.length);
  return spread < mean / 4;
}

export function prepare(burst) {
  const entering = metOnEntering(burst.packets);
  const waited = burst.packets.every((one) => one.dropped || one.latency !== undefined);
  return { entering, waited, flows: ranked(burst) };
}

/** Flows by what they put into the queue, the largest first; packets without a known flow are one of them. */
export function ranked(burst) {
  const sized = burst.packets.some((one) => one.bytes !== undefined);
  const by = new Map();
  for (const one of burst.packets) {
    const key = one.flow ?? -1;
    const entry = by.get(key) ?? { key, flow: burst.flows[key], packets: 0, bytes: 0, drops: 0, waited: undefined, sized };
    entry.packets++;
    if (one.latency !== undefined) entry.waited = Math.max(entry.waited ?? 0, one.latency);
    entry.bytes += one.bytes ?? 0;
    if (one.dropped) entry.drops++;
    by.set(key, entry);
  }
  const weight = (one) => (sized ? one.bytes : one.packets);
  const list = [...by.values()].sort((a, b) => weight(b) - weight(a) || a.key - b.key);
  const all = list.reduce((sum, one) => sum + weight(one), 0);
  return list.map((one) => ({ ...one, share: all ? weight(one) / all : 0 }));
}

/** Lanes to draw: each of the first flows for itself, all others together. */
export function lanes(flows) {
  if (flows.length <= LANES) return flows.map((one) => ({ ...one, keys: [one.key] }));
  const rest = flows.slice(LANES - 1);
  const sum = (field) => rest.reduce((total, one) => total + one[field], 0);
  return [
    ...flows.slice(0, LANES - 1).map((one) => ({ ...one, keys: [one.key] })),
    { keys: rest.map((one) => one.key), others: rest.length, packets: sum('packets'), bytes: sum('bytes'), drops: sum('drops'), share: sum('share'), sized: rest[0].sized },
  ];
}

/**
 * Packets with the moments they came (`in`) and went (`out`), where that is known, and `at`, where they are drawn. The first moment of
 * all is 0.
 */
export function timed(burst, entering) {
  const list = burst.packets.map((one) => {
    const out = one.atNs;
    const into = one.latency === undefined ? undefined : one.atNs - one.latency;
    return { ...one, in: into, out: one.dropped ? undefined : out, at: entering && into !== undefined ? into : out };
  });
  list.sort((a, b) => a.at - b.at);
  const first = list.length ? list[0].at : 0;
  for (const one of list) {
    one.at -= first;
    if (one.in !== undefined) one.in -= first;
    if (one.out !== undefined) one.out -= first;
  }
  return list;
}

/** What stood in the queue of the packets that were told of: [time, bytes] after each change. */
export function standing(packets) {
  const changes = [];
  for (const one of packets) {
    if (one.in === undefined || one.out === undefined || one.bytes === undefined) continue;
    changes.push([one.in, one.bytes], [one.out, -one.bytes]);
  }
  changes.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  let sum = 0;
  return changes.map(([at, change]) => [at, (sum += change)]);
}

/** Index of the last one at or before this moment, -1 where there is none. */
export function lastBefore(packets, at) {
  let low = 0;
  let high = packets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (packets[middle].at <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const STEPS = [1, 2, 5];
/** Round nanoseconds between two, about as many as asked for. */
export function nanoTicks(from, to, wanted) {
  const raw = Math.max(1, (to - from) / Math.max(1, wanted));
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, [...STEPS, 10].map((f) => f * power).find((s) => s >= raw));
  const list = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) list.push(at);
  return { list, step };
}
export const nanoText = (ns, step) => {
  const [size, unit] = step >= 1e6 ? [1e6, 'ms'] : step >= 1e3 || ns === 0 ? [1e3, 'µs'] : [1, 'ns'];
  return `${(ns / size).toLocaleString('en-US', { maximumFractionDigits: 3 })} ${unit}`;
};
/** All of it, in groups of three. */
export const wholeNanos = (ns) => `${Math.round(ns).toLocaleString('en-US').replaceAll(',', '\u2009')} ns`;

/** How much of the burst passes in a second, from slow to fast. */
export const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 10e3, 20e3, 50e3, 100e3].map((us) => us * 1e3);
export const usualSpeed = (length) => SPEEDS.findLast((speed) => speed <= length / 8) ?? SPEEDS[0];
