/** A queue as the URL names it: NODE.INTERFACE.QUEUE, with nothing where a part is not known. */
export const keyOf = (one) => [one.node ?? '', one.interface ?? '', one.queue ?? ''].join('.');

/** A filter that means this queue, as far as its parts are known. Of reports, `node` would be who reports and not where it was. */
export function filterOf(key, also, field = 'node') {
  const [node, port, queue] = key.split('.');
  const own = [
    node === '' ? '' : `${field} = ${node}`,
    !port ? '' : `hop.interface = ${port}`,
    !queue ? '' : `hop.queue = ${queue}`,
  ].filter(Boolean);
  if (also) own.unshift(`(${also})`);
  return own.join(' and ');
}
export const isWhole = (key) => /^\d+\.\d+\.\d+$/.test(key);

export const portOf = (one) => one.interfaceName ?? (one.interface === undefined ? 'port unknown' : `port ${one.interface}`);
export const queueOf = (one) => (one.queue === undefined ? 'queue unknown' : `queue ${one.queue}`);

/** What matters comes first: what is full now, what lost packets, what was full, what was long, what was slow. */
export function byImportance(a, b) {
  return (
    Number(b.congested) - Number(a.congested) ||
    (b.drops ?? 0) - (a.drops ?? 0) ||
    (b.episodes ?? 0) - (a.episodes ?? 0) ||
    (b.occupancyMax ?? -1) - (a.occupancyMax ?? -1) ||
    (b.latencyNs?.p99 ?? -1) - (a.latencyNs?.p99 ?? -1)
  );
}
