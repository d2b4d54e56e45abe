import { bytes, count, duration, flowText } from './units.js';

const BAD = new Set(['drops', 'attack', 'link-down', 'report-loss', 'loop', 'spoof-suspected', 'exporter-silent']);
export const isBad = (event) => BAD.has(event.kind) || event.severity === 'critical';

/** Names of nodes and interfaces, from lists that have them. */
export class Names {
  nodes = new Map();
  add(items = []) {
    for (const item of items) if (item.name) this.nodes.set(item.id ?? item.node, item.name);
    return this;
  }
  node(id) {
    return this.nodes.get(id) ?? (id === undefined ? 'unknown' : `node ${id}`);
  }
  path(ids = []) {
    return ids.map((id) => this.node(id)).join(' > ');
  }
}

export function told(event, names) {
  const at = () => `${names.node(event.node)}${event.interface === undefined ? '' : ` port ${event.interface}`}`;
  switch (event.kind) {
    case 'path-change':
      return `${flowText(event.flow)}: ${names.path(event.before)} is now ${names.path(event.after)}`;
    case 'loop':
      return `${flowText(event.flow)} runs in circles: ${names.path(event.path)}`;
    case 'congestion':
      return `${at()} queue ${event.queue}, up to ${bytes(event.peakOccupancy)}${event.culprits?.[0] ? `; ${Math.round(event.culprits[0].share * 100)} % by ${flowText(event.culprits[0].flow)}` : ''}`;
    case 'latency':
      return `${at()}: ${duration(event.observedNs)} instead of ${duration(event.baselineNs)}`;
    case 'drops':
      return `${names.node(event.node)}: ${count(event.count)} by ${event.reasonName ?? 'reason ' + event.reason}${event.flow ? `, ${flowText(event.flow)}` : ''}`;
    case 'link-down':
    case 'link-up':
      return `${names.node(event.from.node)} port ${event.from.interface} to ${names.node(event.to.node)} port ${event.to.interface}`;
    case 'report-loss':
      return `${event.node === undefined ? event.exporter : names.node(event.node)}: ${count(event.lost)} datagrams`;
    case 'attack':
      return `${event.vector} on ${event.victim?.address ?? event.victim?.prefix}${event.victim?.port === undefined ? '' : ` port ${event.victim.port}`}`;
    default:
      return event.node === undefined ? (event.exporter ?? '') : names.node(event.node);
  }
}
