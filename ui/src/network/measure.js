import { colour, log } from '../lib/scale.js';

/** What the colour of a link can say. */
export const METRICS = {
  latency: { word: 'latency', kind: 'ns', what: 'time in the queue before it, p99', of: (link) => link.egress?.latencyNs?.p99, sure: () => true },
  wire: {
    word: 'link time', kind: 'ns', what: 'time on the link itself', of: (link) => link.latencyNs,
    sure: (link) => link.latencyErrorNs === undefined || link.latencyErrorNs < link.latencyNs,
  },
  reports: { word: 'reports', kind: 'count', what: 'packets seen at both ends', of: (link) => link.reports, sure: () => true },
};

/** A scale from a power of ten to a power of ten, so that it seldom changes. */
export function scaleOf(values) {
  const known = values.filter((value) => value > 0);
  if (!known.length) return null;
  const low = 10 ** Math.floor(Math.log10(Math.min(...known)) + 1e-9);
  const high = Math.max(low * 10, 10 ** Math.ceil(Math.log10(Math.max(...known)) - 1e-9));
  const ticks = [];
  for (let at = low; at <= high * 1.001; at *= 10) ticks.push(at);
  return { low, high, ticks, share: log(low, high) };
}

/** Lines are thin: the palest part of the scale would not be seen on the paper. */
export const tone = (share, dark) => colour(0.24 + 0.76 * Math.min(1, Math.max(0, share)), dark);

export const stroke = (reports, most) => (reports > 0 && most > 0 ? 0.9 + 4.1 * Math.sqrt(Math.min(1, reports / most)) : 0.9);
