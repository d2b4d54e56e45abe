import { isUnanalysed } from './place.svelte.js';
import { answer, send } from './session.svelte.js';

export function url(path, params = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== '') query.set(key, value);
  }
  const text = query.toString();
  return `/api/v1/${path}${text ? '?' + text : ''}`;
}

const PATIENCE = 30_000;

/** Lists of what only an analysis finds. */
const FOUND = new Set(['attacks', 'drops', 'flows', 'heatmap', 'links', 'mitigations', 'nodes', 'paths', 'queues', 'series', 'topology']);

/**
 * A collector that is stuck answers nothing at all: that is told as well. One that does not analyse refuses what it has not looked for: it is not asked, and
 * that is undefined, never an empty list.
 */
export async function get(path, params, signal) {
  if (isUnanalysed() && FOUND.has(path.split('/')[0])) return undefined;
  const enough = AbortSignal.timeout(PATIENCE);
  return answer(await send(url(path, params), { signal: signal ? AbortSignal.any([signal, enough]) : enough }));
}

export async function post(path, body, signal) {
  return answer(await send(url(path), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body ?? {}), signal }));
}

/** A file of what is seen: fetched as anything else, and handed to the browser. Returns who could not be asked for its part of it, and why. */
export async function download(path, params, name) {
  const response = await send(url(path, params));
  if (!response.ok) await answer(response);
  save(await response.blob(), name);
  return response.headers.get('Pathlore-Unreached') ?? '';
}

export function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Text that a spreadsheet must not take for a formula. */
const cell = (value) => {
  const text = value === undefined || value === null ? '' : String(value);
  const inert = /^[=+\-@\t\r]/.test(text) && !/^-?[0-9.]+$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
};

export function json(rows, name) {
  save(new Blob([JSON.stringify(rows, null, 2) + '\n'], { type: 'application/json' }), name);
}

export function csv(columns, rows, name) {
  const lines = [columns.join(','), ...rows.map((row) => columns.map((column) => cell(row[column])).join(','))];
  save(new Blob([lines.join('\n') + '\n'], { type: 'text/csv' }), name);
}
