import { count, exact, protocol } from '../lib/units.js';

/** States after which nothing follows. */
const OVER = new Set(['withdrawn', 'expired', 'refused']);
export const isOver = (one) => OVER.has(one.state);
export const waits = (one) => one.state === 'proposed' || one.state === 'observed';

export const victimOf = (attack) => attack.victim?.address ?? attack.victim?.prefix ?? 'unknown';
export const rateOf = (attack) => attack.packetsPerSecond ?? attack.reportsPerSecond;
export const unitOf = (attack) => (attack.packetsPerSecond === undefined ? 'reports/s' : 'packets/s');

const to = (address, port) => (port === undefined ? address : address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`);

/** From whom to whom, in one line. */
export function matchText(match = {}) {
  const from = match.device ?? match.source ?? 'anybody';
  const where = to(match.destination ?? 'anywhere', match.destinationPort);
  return `${from} → ${where}${match.protocol === undefined ? '' : ` ${protocol(match.protocol)}`}`;
}

export function span(seconds) {
  if (seconds === undefined) return 'until it is withdrawn';
  if (seconds < 120) return `${seconds} s`;
  return seconds % 3600 === 0 ? `${seconds / 3600} h` : seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
/** 4:32, as it is left. */
export function left(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (number) => String(number).padStart(2, '0');
  return seconds < 3600 ? `${Math.floor(seconds / 60)}:${two(seconds % 60)}` : `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

export const does = (one) =>
  one.action === 'rate-limit' ? `Limit${one.bytesPerSecond === undefined ? '' : ` to ${count(one.bytesPerSecond)}B/s`}` : 'Block';
export const blockWords = (one, at, seconds) => `${does(one)} ${matchText(one.match)} at ${at} for ${span(seconds)}`;
export const freeWords = (one, at) => `Withdraw: let ${matchText(one.match)} pass at ${at} again`;
export const declineWords = (one) => `Decline: do not block ${matchText(one.match)}`;

/** The rule against a device: the youngest that is not over, else the youngest. */
export function ruleOf(source, rules) {
  const own = rules.filter((one) => one.match?.device === source.device || (one.match?.device === undefined && one.match?.source === source.address && one.node === source.firstNode));
  return own.findLast((one) => !isOver(one)) ?? own[own.length - 1];
}

const keyOf = (one) => `${one.enforcer} ${JSON.stringify(one.match)} ${one.action}`;
/** Rules as they are: one that was withdrawn and proposed again is the same, with the youngest entry last. */
export function grouped(rules) {
  const by = new Map();
  for (const one of rules) {
    const key = keyOf(one);
    if (by.has(key)) by.get(key).push(one);
    else by.set(key, [one]);
  }
  return [...by.values()];
}
/** The entry that took the place of one that is over. */
export const successor = (one, rules) => (isOver(one) ? rules.findLast((other) => other !== one && keyOf(other) === keyOf(one) && Date.parse(other.createdAt) > Date.parse(one.createdAt)) : undefined);

export function lasts(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : `${Math.floor(seconds / 3600)} h ${Math.floor(seconds / 60) % 60} min`;
}

/** While it is loud it is told again every ten seconds. */
const CALM = 15_000;

const first = (acts, ...whats) => acts.find((act) => whats.includes(act.what));
const at = (act) => (act ? Date.parse(act.time) : undefined);

/**
 * The stations of an attack, the earliest first. `at` is absent for what has not happened; then `note` says what it waits for.
 * `acts` are those of the audit about this attack, oldest first.
 */
export function stations(attack, rules, acts, mode, now) {
  const live = rules.filter((one) => !isOver(one));
  const total = grouped(rules).length;
  const keys = new Map(rules.map((one) => [one.id, keyOf(one)]));
  const proposed = first(acts, 'proposed', 'observed');
  const approved = first(acts, 'approved');
  const sent = first(acts, 'sent');
  const proven = first(acts, 'proven');
  const ended = acts.findLast((act) => ['withdrawn', 'expired'].includes(act.what));
  const refused = rules.filter((one) => one.state === 'refused');
  const waiting = live.filter(waits).length;
  const failing = live.find((one) => one.trouble);
  const over = attack.end !== undefined;
  const has = (what) => new Set(acts.filter((act) => act.what === what).map((act) => keys.get(act.mitigation))).size;
  const done = ended && live.length === 0;
  return [
    { word: 'First report', at: Date.parse(attack.start), note: 'of what became too much' },
    { word: 'Detected', at: Date.parse(attack.detectedAt), note: `${exact(rateOf(attack))} ${unitOf(attack)}` },
    {
      word: proposed?.what === 'observed' ? 'Observed' : 'Proposed',
      at: at(proposed),
      note: proposed
        ? proposed.what === 'observed' ? 'a rule that is not proposed' : total === 1 ? 'one rule' : `${exact(total)} rules`
        : refused.length ? 'refused' : attack.refusals?.length ? 'no rule is possible' : over ? 'no rule' : 'no rule yet',
      bad: !proposed && (refused.length > 0 || attack.refusals?.length > 0),
    },
    {
      word: 'Approved',
      at: at(approved),
      note: approved ? `by ${approved.who}${has('approved') < total ? `, ${exact(has('approved'))} of ${exact(total)}` : ''}` : !waiting ? '' : mode === 'observe' ? 'not in mode observe' : 'waits for an operator',
      wait: !approved && waiting > 0 && mode !== 'observe',
    },
    { word: 'Sent', at: at(sent), note: sent ? sent.why : failing && approved ? failing.trouble : approved && !done ? 'no answer yet' : '', bad: !sent && !!approved && !!failing, wait: !sent && !!approved && !done },
    { word: 'First proof', at: at(proven), note: proven ? proven.why.replace(/^a drop report tells of /, 'drop report: ') : sent && !done ? 'no drop report yet' : '', wait: !proven && !!sent && !done },
    {
      word: over ? 'Quiet' : done ? 'Withdrawn' : 'Quiet',
      at: over ? Date.parse(attack.end) : done ? at(ended) : undefined,
      note: over ? (done ? 'rules are gone' : live.some((one) => one.wanted || one.sent) ? 'rules still hold' : live.length ? `${exact(live.length)} still ${live[0].state}` : '') : done ? 'the attack goes on' : now - Date.parse(attack.lastSeen) > CALM ? `calm for ${lasts(now - Date.parse(attack.lastSeen))}` : 'goes on',
      bad: !over && done,
      wait: !over && !done,
    },
  ];
}

/** What became of a rule, piece by piece: [{state, from, to}]; the last one is open where `to` is absent. */
export function pieces(entries, acts) {
  const ids = new Set(entries.map((one) => one.id));
  const list = [];
  for (const act of acts) {
    if (!ids.has(act.mitigation)) continue;
    const from = Date.parse(act.time);
    if (list.length) list[list.length - 1].to = from;
    list.push({ state: act.what, from, who: act.who });
  }
  const youngest = entries[entries.length - 1];
  if (list.length === 0) list.push({ state: youngest.state, from: Date.parse(youngest.createdAt) });
  return list;
}
