import { Names } from '../lib/events.js';

/** Nodes in travel order: those of the stack, then the one that reports, unless it is the last of the stack itself. */
export function pathOf(report) {
  const stack = report.int?.find((one) => one.hops)?.hops ?? [];
  const nodes = stack.map((hop) => hop.nodeId);
  const own = report.report?.nodeId;
  if (own !== undefined && nodes[nodes.length - 1] !== own) nodes.push(own);
  return nodes;
}
export const isCut = (report) => report.int?.some((one) => one.truncated || one.hopLimitExceeded || one.mtuExceeded) ?? false;

/** Time in all hops; undefined where one of them does not tell. */
export function latencyOf(report) {
  const stack = report.int?.find((one) => one.hops)?.hops ?? [];
  const own = report.report?.nodeId;
  const parts = stack.map((hop) => hop.hopLatency);
  if (!stack.length || stack[stack.length - 1].nodeId !== own) parts.push(report.metadata?.hopLatency);
  return parts.length && parts.every((part) => part !== undefined) ? parts.reduce((a, b) => a + b, 0) : undefined;
}

export const FLAGS = [
  ['dropped', 'D', 'the packet was dropped'],
  ['congested', 'Q', 'it met a congested queue'],
  ['tracked', 'F', 'its flow is watched'],
  ['intermediate', 'I', 'an intermediate report'],
];

/** spine-1 and spine-2 are told apart by what they do not share with each other; a path of many is cut in the middle. */
export function shortPath(ids, names = new Names()) {
  const words = ids.map((id) => names.node(id));
  return words.length > 5 ? `${words.slice(0, 2).join(' › ')} › … ${words.length - 4} … › ${words.slice(-2).join(' › ')}` : words.join(' › ');
}

// ---- the tree of one report, as lines

/** Every node with its depth and a name that stays the same while the tree does; those under a closed one are left out. */
export function linesOf(tree, closed) {
  const lines = [];
  (function walk(node, depth, key, section) {
    const branch = node.children?.length > 0;
    lines.push({ node, depth, key, branch, section, open: branch && !closed.has(key) });
    if (branch && !closed.has(key)) node.children.forEach((child, i) => walk(child, depth + 1, `${key}.${i}`, section ?? `${key}.${i}`));
  })(tree, 0, '0', undefined);
  return lines;
}

const LAYERS = new Set(['Inner packet', 'TLV']);
/** The header each octet belongs to, in turns, so that where one ends can be seen; undefined where nobody read it. */
export function sectionsOf(tree, length, error) {
  const turn = new Array(length).fill(undefined);
  let count = 0;
  (function walk(node) {
    for (const child of node.children ?? []) {
      if (child.length === 0 || (error && child.name === error)) continue;
      if (LAYERS.has(child.name) || child.name === 'Telemetry Report' || child.name.startsWith('INT')) {
        if (!child.children?.length) turn.fill(count++, child.offset, child.offset + child.length);
        else walk(child);
      } else {
        turn.fill(count++, child.offset, child.offset + child.length);
      }
    }
  })(tree);
  return turn;
}

/** The fields that an octet is part of: several where they are of a few bits. */
export function fieldsAt(tree, octet) {
  const found = [];
  (function walk(node, key) {
    if (node.length === 0 || octet < node.offset || octet >= node.offset + node.length) return;
    if (node.children?.length) node.children.forEach((child, i) => walk(child, `${key}.${i}`));
    else found.push({ node, key });
  })(tree, '0');
  return found;
}

/** Everything that was noticed, in order of place. */
export function noticed(tree) {
  const list = [];
  (function walk(node) {
    if (node.warning) list.push({ text: node.warning, node });
    if (node.name === 'Warnings') return;
    node.children?.forEach(walk);
  })(tree);
  const said = list.map((one) => one.text).join('\n');
  const rest = tree.children?.find((one) => one.name === 'Warnings' && one.length === 0)?.children ?? [];
  for (const one of rest) if (!said.includes(`${one.name}:`)) list.push({ text: `${one.name}: ${one.value}`, node: one });
  return list;
}
