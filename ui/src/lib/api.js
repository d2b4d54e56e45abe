import { setToken, token } from './token.js';

/** What the server says is wrong, in its own words. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? `the server answers ${status}`);
    this.status = status;
    this.place = problem?.place;
  }
}

async function answer(response) {
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

function headers(more = {}) {
  const own = token();
  return own ? { ...more, Authorization: `Bearer ${own}` } : more;
}

export function url(path, params = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value !== undefined && value !== null && value !== '') query.set(key, value);
  }
  const text = query.toString();
  return `/api/v1/${path}${text ? '?' + text : ''}`;
}

export async function get(path, params, signal) {
  return answer(await read(url(path, params), signal));
}

/** A token of a collector that is no more opens nothing: it is forgotten, and where reading is open it goes on without. */
async function read(address, signal) {
  const own = headers();
  const response = await fetch(address, { headers: own, signal });
  if (response.status !== 401 || !own.Authorization) return response;
  setToken(null);
  return fetch(address, { signal });
}

/** Whether a token is good, in the server's words where it is not. Remembered only then. */
export async function tryToken(text) {
  await answer(await fetch(url('status'), { headers: { Authorization: `Bearer ${text}` } }));
  setToken(text);
}

export async function post(path, body, signal) {
  return answer(
    await fetch(url(path), {
      method: 'POST',
      headers: headers({ 'Content-Type': 'application/json' }),
      body: JSON.stringify(body ?? {}),
      signal,
    }),
  );
}

/** A file of what is seen: fetched with the token, and handed to the browser. */
export async function download(path, params, name) {
  const response = await read(url(path, params));
  if (!response.ok) await answer(response);
  save(await response.blob(), name);
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
  return /[",\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
};

export function json(rows, name) {
  save(new Blob([JSON.stringify(rows, null, 2) + '\n'], { type: 'application/json' }), name);
}

export function csv(columns, rows, name) {
  const lines = [columns.join(','), ...rows.map((row) => columns.map((column) => cell(row[column])).join(','))];
  save(new Blob([lines.join('\n') + '\n'], { type: 'text/csv' }), name);
}
