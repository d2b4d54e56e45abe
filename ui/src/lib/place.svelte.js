// Where somebody is: view, time, filter and what is selected. All of it is in the URL, behind a version, so that a link
// shows a colleague the same, and the back button works.
const VERSION = 'v1';
const DEFAULTS = { since: '15m', until: 'now', filter: '', vs: '' };

/**
 * What is over and recorded, {name, from, to}; undefined where a collector is at work. Where others receive, {served} is from where it comes. Where
 * others analyse, {unanalysed} is the brokers at which they find what is received here, empty where it is not published.
 */
export const recording = $state({ of: undefined, served: undefined, unanalysed: undefined });
export const isUnanalysed = () => recording.unanalysed !== undefined;

/** All there is of a recording; of a collector, the last minutes. */
export const whole = () => ({ since: DEFAULTS.since, until: DEFAULTS.until });

/** The present: the end of a recording. */
export const present = () => (recording.of ? Date.parse(recording.of.to) : Date.now());

/** Who says nothing for so long is silent; in tables times are those of minutes, told when they are over. */
export const silence = () => (recording.served ? 150_000 : 30_000);

/** Views by the key that follows g. */
export const VIEWS = {
  o: 'overview', n: 'network', l: 'latency', q: 'queues', d: 'drops', f: 'flows', a: 'attacks', r: 'reports', t: 'tail', e: 'exporters', s: 'sql', c: 'settings',
};

export const place = $state({ view: 'overview', ...DEFAULTS, params: {} });

function read() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [version, view] = path.split('/');
  const all = Object.fromEntries(new URLSearchParams(query));
  const known = version === VERSION && view;
  place.view = known ? view : 'overview';
  const { since, until, filter, vs, ...params } = known ? all : {};
  place.since = since ?? DEFAULTS.since;
  place.until = until ?? DEFAULTS.until;
  place.filter = filter ?? DEFAULTS.filter;
  place.vs = vs ?? DEFAULTS.vs;
  place.params = params;
}

export function href(change) {
  const next = { view: place.view, since: place.since, until: place.until, filter: place.filter, vs: place.vs, ...change };
  const params = change.params ?? (change.view && change.view !== place.view ? {} : place.params);
  const query = new URLSearchParams();
  for (const key of ['since', 'until', 'filter', 'vs']) {
    if (next[key] !== DEFAULTS[key]) query.set(key, next[key]);
  }
  for (const [key, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== '') query.set(key, value);
  }
  const text = query.toString();
  return `#/${VERSION}/${next.view}${text ? '?' + text : ''}`;
}

/** Goes there; {replace: true} where it is not worth a step back. */
export function go(change, { replace = false } = {}) {
  const to = href(change);
  if (replace) {
    history.replaceState(null, '', to);
    read();
  } else if (location.hash !== to) {
    location.hash = to;
  }
}

/** Changes one of the view's own parameters, leaving the rest. */
export function select(params, options) {
  go({ params: { ...place.params, ...params } }, options);
}

export const isLive = () => place.until === 'now';

/** Tells, before anything is shown, that this is one: its time is the time at hand. */
export function isRecording(of) {
  recording.of = of;
  DEFAULTS.since = of.from;
  DEFAULTS.until = of.to;
  read();
}

window.addEventListener('hashchange', read);
read();
