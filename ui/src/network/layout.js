// Where things stand. Nothing here looks at the clock, at chance or at what is selected: the same network gives the same picture.
export const PITCH = 100;
export const BAR = 30;
const ROW = 62;
const WIDE = 40;
const STAGGER = 4;
const BESIDE = 1.3;
const FOUNDING = 600_000;
// A node of which this share of its reports begins or ends there is an edge; somebody who pings a spine does not make it one.
const ENDS = 0.1;
export const APART = -1;

/** How many hops each node is away from where flows begin and end. */
export function tiers(nodes, links, paths) {
  const ends = new Map();
  const through = new Map();
  const near = new Map(nodes.map((node) => [node.id, new Set()]));
  const add = (map, key, value) => map.set(key, (map.get(key) ?? 0) + value);
  const join = (a, b) => {
    if (a === b) return;
    near.get(a)?.add(b);
    near.get(b)?.add(a);
  };
  const whole = paths.filter((path) => path.complete);
  for (const { nodes: hops, reports = 1 } of whole.length ? whole : paths) {
    for (const id of new Set(hops)) add(through, id, reports);
    for (const id of new Set([hops[0], hops[hops.length - 1]])) add(ends, id, reports);
  }
  for (const { nodes: hops } of paths) for (let i = 1; i < hops.length; i++) join(hops[i - 1], hops[i]);
  for (const link of links) join(link.from.node, link.to.node);

  const tier = new Map();
  let ring = nodes.map((node) => node.id).filter((id) => (ends.get(id) ?? 0) >= ENDS * (through.get(id) ?? Infinity));
  // Links without a path, as after a restart: what has fewest neighbours is outside.
  if (!ring.length) {
    const linked = nodes.map((node) => node.id).filter((id) => near.get(id).size);
    const least = Math.min(...linked.map((id) => near.get(id).size));
    ring = linked.filter((id) => near.get(id).size === least);
  }
  for (let distance = 0; ring.length; distance++) {
    for (const id of ring) tier.set(id, distance);
    const next = new Set();
    for (const id of ring) for (const other of near.get(id) ?? []) if (!tier.has(other) && near.has(other)) next.add(other);
    ring = [...next];
  }
  for (const node of nodes) if (!tier.has(node.id)) tier.set(node.id, APART);
  return tier;
}

/**
 * A place for each node. Those that were there in the first minutes of a tier stand in the order of their ids, in the middle; who comes
 * later is put behind them and moves nobody.
 */
export function places(nodes, tier) {
  const byTier = new Map();
  for (const node of nodes) {
    const level = tier.get(node.id);
    if (!byTier.has(level)) byTier.set(level, []);
    byTier.get(level).push(node);
  }
  const rows = [];
  const at = new Map();
  const seen = (node) => Date.parse(node.firstSeen ?? 0) || 0;
  const levels = [...byTier.keys()].sort((a, b) => b - a);
  const columns = new Map();
  for (const level of levels) {
    const list = byTier.get(level);
    const founded = Math.min(...list.map(seen)) + FOUNDING;
    const late = (node) => (seen(node) <= founded ? 0 : seen(node));
    list.sort((a, b) => late(a) - late(b) || a.id - b.id);
    const founders = list.filter((node) => !late(node)).length;
    const deep = Math.ceil(founders / WIDE);
    columns.set(level, { deep, across: Math.ceil(founders / deep) });
  }
  const widest = Math.max(1, ...[...columns.values()].map((one) => one.across));
  const gap = widest > 24 ? 420 : widest > 12 ? 260 : 150;
  let y = 0;
  for (const level of levels) {
    const list = byTier.get(level);
    const { across, deep } = columns.get(level);
    if (rows.length) y += level === APART ? 110 : gap;
    // Column by column, all tiers equally wide: what hangs together mostly has ids side by side, and then stands one below the other.
    const pitch = level === APART ? PITCH : (PITCH * widest) / across;
    list.forEach((node, i) => {
      const row = i % deep;
      at.set(node.id, { x: (Math.floor(i / deep) - (across - 1) / 2) * pitch + (row - (deep - 1) / 2) * STAGGER, y: y + row * ROW, tier: level });
    });
    rows.push({ tier: level, top: y, bottom: y + (deep - 1) * ROW, count: list.length });
    y += (deep - 1) * ROW;
  }
  return { at, rows };
}

const portKey = (end, peer) => `${end.node}.${end.interface ?? `to${peer.node}`}`;

/** Ports along the bars, and cables between them, each with one or two directions. */
export function wiring(links, queues, at) {
  const ports = new Map();
  const port = (end, peer) => {
    const key = portKey(end, peer);
    let one = ports.get(key);
    if (!one) {
      const here = at.get(end.node);
      const there = at.get(peer.node);
      one = { key, node: end.node, interface: end.interface, name: end.interfaceName, up: there.y <= here.y, aim: there.x, queues: [] };
      ports.set(key, one);
    }
    one.name ??= end.interfaceName;
    return one;
  };
  const cables = new Map();
  for (const link of links) {
    if (!at.has(link.from.node) || !at.has(link.to.node) || link.from.node === link.to.node) continue;
    const from = port(link.from, link.to);
    const to = port(link.to, link.from);
    const key = from.key < to.key ? `${from.key}|${to.key}` : `${to.key}|${from.key}`;
    if (!cables.has(key)) cables.set(key, { key, ways: [] });
    cables.get(key).ways.push({ link, from, to });
  }
  for (const queue of queues) {
    if (queue.interface === undefined || !at.has(queue.node)) continue;
    const key = `${queue.node}.${queue.interface}`;
    let one = ports.get(key);
    if (!one) {
      one = { key, node: queue.node, interface: queue.interface, up: false, aim: Infinity, queues: [], stub: true };
      ports.set(key, one);
    }
    one.name ??= queue.interfaceName;
    one.queues.push(queue);
  }
  const sides = new Map();
  for (const one of ports.values()) {
    // Interface 0 is what nodes say that drop a packet before it has a way out.
    if (one.stub && one.interface === 0 && !one.name) continue;
    const side = `${one.node}${one.up ? '^' : 'v'}`;
    if (!sides.has(side)) sides.set(side, []);
    sides.get(side).push(one);
  }
  for (const list of sides.values()) {
    list.sort((a, b) => (a.aim === b.aim ? 0 : a.aim - b.aim) || (a.interface ?? 0) - (b.interface ?? 0));
    const here = at.get(list[0].node);
    list.forEach((one, i) => {
      one.x = here.x + ((i + 0.5) / list.length - 0.5) * 2 * BAR * 0.94;
      one.y = here.y;
      one.room = (2 * BAR * 0.94) / list.length;
    });
  }
  const list = [...cables.values()];
  for (const cable of list) for (const way of cable.ways) way.curve = curve(way.from, way.to, cable.ways.length > 1 ? BESIDE : 0);
  return { cables: list, ports: [...ports.values()].filter((one) => one.x !== undefined) };
}

/** From a to b, a little to the right of the way. */
export function curve(a, b, beside = 0) {
  const down = Math.sign(b.y - a.y);
  if (down === 0) {
    const high = 18 + Math.abs(b.x - a.x) * 0.16 + (b.x > a.x ? beside * 2 : 0);
    return [a.x, a.y, a.x, a.y - high, b.x, b.y - high, b.x, b.y];
  }
  const shift = -down * beside;
  const bend = (b.y - a.y) * 0.46;
  return [a.x + shift, a.y, a.x + shift, a.y + bend, b.x + shift, b.y - bend, b.x + shift, b.y];
}

export function along([x1, y1, x2, y2, x3, y3, x4, y4], t) {
  const u = 1 - t;
  const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
  return [a * x1 + b * x2 + c * x3 + d * x4, a * y1 + b * y2 + c * y3 + d * y4];
}

/** The cables a list of nodes goes along; null between two nodes that no link is known of. */
export function route(hops, cables, interfaces) {
  const pieces = [];
  for (let i = 1; i < hops.length; i++) {
    const out = interfaces?.[i - 1];
    let best = null;
    for (const cable of cables) {
      for (const way of cable.ways) {
        if (way.from.node !== hops[i - 1] || way.to.node !== hops[i]) continue;
        const weight = (out?.includes(way.from.interface) ? 1e15 : 0) + (way.link.reports ?? 0);
        if (!best || weight > best.weight) best = { way, weight };
      }
    }
    pieces.push(best?.way ?? null);
  }
  return pieces;
}

export function bounds(at) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of at.values()) {
    left = Math.min(left, x - BAR);
    right = Math.max(right, x + BAR);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return left === Infinity ? null : { left, right, top, bottom };
}
