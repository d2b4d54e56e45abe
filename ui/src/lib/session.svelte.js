import { ofDay } from './time.svelte.js';
import { taken } from './token.js';

/** What the server says is wrong, in its own words. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? `the server answers ${status}`);
    this.status = status;
    this.place = problem?.place;
  }
}

export async function answer(response) {
  const text = await response.text();
  let json;
  try {
    json = text ? JSON.parse(text) : undefined;
  } catch {
    json = undefined;
  }
  if (!response.ok) throw new Refusal(response.status, json);
  return json;
}

/**
 * `who` asks, as the server sees it: {by, role, name, expires, csrf}; undefined before it was asked. `locked` is null while reading is open, else why
 * somebody has to log in first; empty where that needs no reason. `wrong`: the token of the link one came by was not good.
 */
export const session = $state({ who: undefined, locked: null, wrong: '' });

// Beside it, not in it: whoever asks something must not ask again because somebody logged in.
let csrf;

function is(who) {
  csrf = who?.csrf;
  if (JSON.stringify(who) !== JSON.stringify(session.who)) session.who = who;
}

export const mayAct = () => ['operator', 'admin'].includes(session.who?.role);

function ended(who) {
  if (!who?.name) return '';
  if (who.expires && Date.parse(who.expires) <= Date.now()) return `The session of ${who.name} was over at ${ofDay(Date.parse(who.expires))}: one lasts twelve hours, and no longer than its token.`;
  return `The session of ${who.name} has ended before its time: its token was revoked, or the collector was started again.`;
}

/** Asks the server who this is, and whether that is enough to read. */
export async function learn(why) {
  const response = await fetch('/api/v1/session');
  if (response.status === 401) {
    session.locked ??= why ?? ended(session.who);
    is(undefined);
  } else is(await answer(response));
}

/** Who comes by a cookie and does more than read shows that this page sent it. */
function attempt(address, options) {
  return fetch(address, csrf && options.method === 'POST' ? { ...options, headers: { ...options.headers, 'Pathlore-Csrf': csrf } } : options);
}

/** Asks as who this is. A refusal may mean that it is no longer so, or that another tab logged in as somebody else. */
export async function send(address, options = {}) {
  const response = await attempt(address, options);
  if (response.status !== 401 && response.status !== 403) return response;
  const before = csrf;
  try {
    await learn();
  } catch {
    return response; // it says enough
  }
  return response.status === 403 && options.method === 'POST' && csrf && csrf !== before ? attempt(address, options) : response;
}

/** Shows a token once; what is left of it is a cookie that no script can read. */
export async function login(token) {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Refusal(401, { detail: 'that is no token: one has no spaces, and only plain letters, digits and signs' });
  is(await answer(await fetch('/api/v1/login', { method: 'POST', headers: { Authorization: `Bearer ${token}` } })));
  session.wrong = '';
}

export async function logout() {
  const response = await send('/api/v1/logout', { method: 'POST' });
  if (!response.ok && response.status !== 401) await answer(response);
  is(undefined);
  await learn('You are logged out.');
}

/** As whom the link says, else as who this browser was before. */
export async function begin() {
  const token = taken();
  if (token) {
    try {
      await login(token);
      session.locked = null;
      return;
    } catch (problem) {
      session.wrong = `The link carried a token, but ${problem.message}.`;
    }
  }
  await learn();
}
