export const clock = $state({ utc: localStorage.getItem('pathlore.utc') !== 'false' });

export function toggleUtc() {
  clock.utc = !clock.utc;
  localStorage.setItem('pathlore.utc', clock.utc);
}

const two = (number) => String(number).padStart(2, '0');
const take = (date, part) => (clock.utc ? date[`getUTC${part}`]() : date[`get${part}`]());

export const ofDay = (ms, fraction = 0) => {
  const date = new Date(ms);
  const text = `${two(take(date, 'Hours'))}:${two(take(date, 'Minutes'))}:${two(take(date, 'Seconds'))}`;
  return fraction ? `${text}.${String(date.getUTCMilliseconds()).padStart(3, '0').slice(0, fraction)}` : text;
};
export const day = (ms) => {
  const date = new Date(ms);
  return `${take(date, 'FullYear')}-${two(take(date, 'Month') + 1)}-${two(take(date, 'Date'))}`;
};
/** With all of its nanoseconds, which a Date does not have. */
export const precise = (text) => {
  const fraction = /\.(\d+)Z$/.exec(text)?.[1]?.padEnd(9, '0') ?? '000000000';
  return `${ofDay(Date.parse(text))}.${fraction.replace(/(\d{3})(?=\d)/g, '$1 ')}`;
};

export const ago = (ms, now = Date.now()) => {
  const seconds = Math.max(0, Math.round((now - ms) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h ago` : `${Math.floor(seconds / 86_400)} d ago`;
};

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400].map((s) => s * 1000);
/** Round times between two, about as many as asked for. */
export function ticks(from, to, wanted) {
  const step = STEPS.find((size) => (to - from) / size <= wanted) ?? STEPS[STEPS.length - 1];
  const list = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) list.push(at);
  return { list, step };
}
export const tickText = (ms, step) => (step >= 86_400_000 ? day(ms).slice(5) : step >= 60_000 ? ofDay(ms).slice(0, 5) : ofDay(ms));
