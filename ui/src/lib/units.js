// Numbers as people read them. Unknown is a dash, never 0.
const NONE = '–';
const known = (value) => value !== undefined && value !== null && !Number.isNaN(value);

function scaled(value, steps) {
  for (const [size, unit] of steps) {
    if (Math.abs(value) >= size) return [value / size, unit];
  }
  const [size, unit] = steps[steps.length - 1];
  return [value / size, unit];
}

const digits = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2));
const trimmed = (value) => (Number.isInteger(value) && Math.abs(value) < 1000 ? String(value) : digits(value));

const TIME = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];
const SIZE = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']];
const COUNT = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']];

export const parts = (value, kind) => {
  if (!known(value)) return [NONE, ''];
  const [number, unit] = scaled(value, kind === 'ns' ? TIME : kind === 'bytes' ? SIZE : COUNT);
  return [trimmed(number), unit];
};
const join = ([number, unit]) => (unit ? `${number} ${unit}` : number);
export const duration = (nanos) => join(parts(nanos, 'ns'));
export const bytes = (value) => join(parts(value, 'bytes'));
export const count = (value) => join(parts(value, 'count'));
const whole = new Intl.NumberFormat('en-US');
export const exact = (value) => (known(value) ? whole.format(value) : NONE);
export const percent = (share, places = 2) => {
  if (!known(share)) return NONE;
  const value = share > 1 - 1e-12 ? 100 : share * 100;
  // 99.997 % is not all of it.
  if (value < 100 && value > 100 - 0.5 * 10 ** -places) return `> ${(100 - 10 ** -places).toFixed(places)} %`;
  return `${value.toFixed(value === 100 || value === 0 ? 0 : places)} %`;
};

const PROTOCOLS = { 1: 'icmp', 6: 'tcp', 17: 'udp', 47: 'gre', 58: 'icmp6', 132: 'sctp' };
export const protocol = (number) => PROTOCOLS[number] ?? String(number ?? NONE);
const end = (address, port) => (port === undefined ? address : address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`);
export const flowText = (flow) =>
  flow ? `${end(flow.source, flow.sourcePort)} → ${end(flow.destination, flow.destinationPort)} ${protocol(flow.protocol)}` : NONE;
