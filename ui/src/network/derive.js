// What links, flows and paths look like, from reports: for the first minute, which the tables do not tell of yet.
const text = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

// The id that the collector will give it. A page that did not come over a safe way has no digest: then the words are the id.
async function print(words) {
  if (!globalThis.crypto?.subtle) return words;
  return text(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(words))).subarray(0, 8));
}

const flowWords = (flow) =>
  [flow.source, flow.destination, flow.protocol, flow.icmpType ?? flow.sourcePort, flow.icmpCode ?? flow.destinationPort, flow.vni].map((part) => part ?? '').join(',');

function spread(values) {
  if (!values.length) return undefined;
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  return { mean: values.reduce((a, b) => a + b, 0) / values.length, p50: rank(0.5), p99: rank(0.99), max: sorted[sorted.length - 1] };
}

/** Hops in the order of the way: the stack of the packet, and the node that reports. */
function hopsOf(report) {
  const own = { nodeId: report.report?.nodeId, ...report.metadata };
  const stack = (report.int ?? []).flatMap((one) => one.hops ?? []).filter((hop) => hop.nodeId !== undefined);
  if (own.nodeId !== undefined && stack[stack.length - 1]?.nodeId !== own.nodeId) stack.push(own);
  return stack;
}

// Postcards tell of one node each. Those of one flow that come within two milliseconds are taken for one packet's.
function packets(cards) {
  const TOGETHER = 2;
  const sorted = [...cards].sort((a, b) => (a.time < b.time ? -1 : 1));
  const list = [];
  let packet = null;
  for (const card of sorted) {
    const at = Date.parse(card.time);
    if (!packet || at - packet.at > TOGETHER || packet.hops.some((hop) => hop.nodeId === card.report.nodeId)) list.push((packet = { at, hops: [], time: card.time }));
    packet.hops.push({ nodeId: card.report.nodeId, ...card.metadata });
  }
  for (const one of list) {
    if (one.hops.every((hop) => hop.ingressTimestamp)) one.hops.sort((a, b) => (BigInt(a.ingressTimestamp) < BigInt(b.ingressTimestamp) ? -1 : 1));
  }
  return list;
}

export async function derive(items, nameOf) {
  const flows = new Map();
  for (const report of items) {
    if (!report.flow || report.report?.nodeId === undefined) continue;
    const words = flowWords(report.flow);
    if (!flows.has(words)) flows.set(words, { words, flow: report.flow, reports: [] });
    flows.get(words).reports.push(report);
  }
  const paths = new Map();
  const links = new Map();
  const told = [];
  for (const one of flows.values()) {
    const cards = one.reports.filter((report) => !report.int?.length && !report.report.dropped);
    const ways = [
      ...one.reports
        .filter((report) => report.int?.length && !report.report.dropped)
        .map((report) => ({
          hops: hopsOf(report),
          time: report.time,
          complete: !report.report.intermediate && !report.int.some((stack) => stack.truncated || stack.hopLimitExceeded || stack.mtuExceeded),
        })),
      ...packets(cards).map((packet) => ({ ...packet, complete: false })),
    ];
    const sums = [];
    for (const way of ways) {
      const nodes = way.hops.map((hop) => hop.nodeId);
      const key = nodes.join(',');
      const path = paths.get(key) ?? { words: key, nodes, names: nodes.map(nameOf), complete: way.complete, reports: 0, flows: new Set(), lastSeen: way.time };
      path.complete ||= way.complete;
      path.reports++;
      path.flows.add(one.words);
      paths.set(key, path);
      if (way.hops.every((hop) => hop.hopLatency !== undefined)) sums.push(way.hops.reduce((sum, hop) => sum + hop.hopLatency, 0));
      for (let i = 1; i < way.hops.length; i++) {
        const [a, b] = [way.hops[i - 1], way.hops[i]];
        const name = `${a.nodeId}/${a.egressInterface}>${b.nodeId}/${b.ingressInterface}`;
        if (!links.has(name)) {
          links.set(name, {
            from: { node: a.nodeId, name: nameOf(a.nodeId), interface: a.egressInterface },
            to: { node: b.nodeId, name: nameOf(b.nodeId), interface: b.ingressInterface },
            state: 'up', reports: 0, times: [],
          });
        }
        const link = links.get(name);
        link.reports++;
        if (a.hopLatency !== undefined) link.times.push(a.hopLatency);
      }
    }
    const last = ways.reduce((a, b) => (a && a.time >= b.time ? a : b), undefined);
    const all = spread(sums);
    told.push({
      ...one.flow,
      words: one.words,
      reports: one.reports.length,
      drops: one.reports.filter((report) => report.report.dropped).length || undefined,
      firstSeen: one.reports.reduce((a, b) => (a < b.time ? a : b.time), '~'),
      lastSeen: one.reports.reduce((a, b) => (a > b.time ? a : b.time), ''),
      latencyNs: all && { last: all.p50, worst: all.p99 },
      way: last && { words: last.hops.map((hop) => hop.nodeId).join(','), nodes: last.hops.map((hop) => hop.nodeId), complete: last.complete },
      hops: last && hopFigures(last, ways, nameOf),
    });
  }
  const pathIds = new Map();
  for (const path of paths.values()) pathIds.set(path.words, await print(path.words));
  const between = new Map();
  const ends = (path) => `${path.nodes[0]}>${path.nodes[path.nodes.length - 1]}`;
  for (const path of paths.values()) if (path.complete) between.set(ends(path), [...(between.get(ends(path)) ?? []), path.reports]);
  return {
    flows: await Promise.all(
      told.map(async ({ words, way, ...flow }) => ({
        ...flow,
        id: await print(words),
        path: way && { id: pathIds.get(way.words), nodes: way.nodes, names: way.nodes.map(nameOf), complete: way.complete },
      })),
    ),
    paths: [...paths.values()].map(({ words, ...path }) => {
      const rivals = path.complete ? between.get(ends(path)) : [];
      const sum = rivals.reduce((a, b) => a + b, 0);
      return {
        ...path, id: pathIds.get(words), flows: path.flows.size,
        ...(path.complete && { share: path.reports / sum, alternatives: rivals.length, imbalance: (Math.max(...rivals) / sum) * rivals.length }),
      };
    }),
    links: [...links.values()].map(({ times, ...link }) => ({ ...link, egress: { latencyNs: spread(times) } })),
  };
}

function hopFigures(last, ways, nameOf) {
  const same = ways.filter((way) => way.hops.length === last.hops.length && way.hops.every((hop, i) => hop.nodeId === last.hops[i].nodeId));
  const means = last.hops.map((_, i) => spread(same.map((way) => way.hops[i].hopLatency).filter((value) => value !== undefined)));
  const sum = means.every(Boolean) ? means.reduce((a, b) => a + b.mean, 0) : undefined;
  return last.hops.map((hop, i) => {
    const fill = same.map((way) => way.hops[i].queueOccupancy).filter((value) => value !== undefined);
    return {
      node: hop.nodeId, name: nameOf(hop.nodeId), reports: same.length, latencyNs: means[i],
      share: sum ? means[i].mean / sum : undefined,
      interfaces: hop.egressInterface === undefined ? [] : [{ interface: hop.egressInterface }],
      occupancyMax: fill.length ? Math.max(...fill) : undefined,
    };
  });
}
