import { span } from '../lib/live.svelte.js';

const PARTS = { s: 1e3, m: 60e3, h: 3600e3, d: 86400e3 };

/** The time at hand as events want it: not back from now, but from a time. */
export function absolute() {
  const { since, until } = span();
  const back = /^(\d+)([smhd])$/.exec(since);
  return { since: back ? new Date(Date.now() - back[1] * PARTS[back[2]]).toISOString() : since, until };
}
