// A sequential scale that keeps its order for every kind of eye and on paper (after Kovesi's and the viridis family's way:
// lightness falls or rises evenly). Interpolated in the space it is given in, from few stops.
const LIGHT = [[226, 232, 226], [164, 205, 186], [96, 170, 163], [40, 124, 142], [33, 78, 116], [38, 33, 77]];
const DARK = [[38, 52, 66], [38, 88, 107], [44, 130, 128], [96, 172, 124], [178, 206, 110], [250, 232, 140]];

export function colour(share, dark) {
  const stops = dark ? DARK : LIGHT;
  const at = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const mixed = stops[low].map((part, i) => Math.round(part + (stops[low + 1][i] - part) * (at - low)));
  return `rgb(${mixed.join(',')})`;
}

export const log = (low, high) => (value) => {
  if (!(value > 0)) return 0;
  return (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low) || 1);
};

/** Round numbers from 0 to at least this one. */
export function niceTop(value, steps = 3) {
  if (!(value > 0)) return { top: 1, list: [0, 1] };
  const raw = value / steps;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((f) => f * power).find((s) => s >= raw);
  const top = Math.ceil(value / step) * step;
  const list = [];
  for (let at = 0; at <= top + step / 2; at += step) list.push(at);
  return { top, list };
}
