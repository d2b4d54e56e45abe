import { span } from './live.svelte.js';
import { isLive, place, present } from './place.svelte.js';

const PARTS = { s: 1e3, m: 60e3, h: 3600e3, d: 86400e3 };
const millis = (text) => {
  const parts = /^(\d+)([smhd])$/.exec(text);
  return parts ? parts[1] * PARTS[parts[2]] : undefined;
};

/** The time at hand as moments, for routes that know no "15m". */
export function absolute() {
  const { since, until } = span();
  const back = millis(since);
  return { since: back === undefined ? since : new Date(present() - back).toISOString(), until };
}

/** The time that the one at hand is compared with, as moments; undefined where it is with none. */
export function other() {
  if (!place.vs) return undefined;
  const kept = place.vs.split('..');
  if (kept.length === 2) return { since: kept[0], until: kept[1] };
  const { since, until } = absolute();
  const [from, to] = [Date.parse(since), until === undefined ? present() : Date.parse(until)];
  const shift = place.vs === 'period' ? to - from : millis(place.vs);
  return shift === undefined ? undefined : { since: new Date(from - shift).toISOString(), until: new Date(to - shift).toISOString() };
}

/** Values of one series laid under the steps of another, by how long after its beginning they are. */
export function under(now, before, list) {
  if (!now || !before || !list) return undefined;
  const into = Date.parse(now.first) - Date.parse(now.since);
  const from = Date.parse(before.since) - Date.parse(before.first);
  return now.reports.map((ignored, i) => {
    const at = Math.floor((into + i * now.stepSeconds * 1000 + from) / (before.stepSeconds * 1000));
    return before.reports[at] ? (list[at] ?? null) : null;
  });
}

const LEAST = 20;

/** A collector that has just been started has no past to show: so many steps before its first report are left out. */
export function lead(reports) {
  const begins = reports.findIndex((value) => value > 0);
  return isLive() && begins > 0 ? Math.max(0, Math.min(begins - 2, reports.length - LEAST)) : 0;
}
