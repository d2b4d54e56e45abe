// Filters that somebody wants again, by name, in this browser.
const KEY = 'pathlore.filters';

function read() {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(list) ? list.filter((one) => typeof one?.name === 'string' && typeof one.filter === 'string') : [];
  } catch {
    return [];
  }
}

export const saved = $state({ list: read() });

function write(list) {
  saved.list = list;
  if (list.length) localStorage.setItem(KEY, JSON.stringify(list));
  else localStorage.removeItem(KEY);
}

const MOST = 50;
export const keep = (name, filter) => write([{ name, filter }, ...saved.list.filter((one) => one.name !== name)].slice(0, MOST));
export const forget = (name) => write(saved.list.filter((one) => one.name !== name));
