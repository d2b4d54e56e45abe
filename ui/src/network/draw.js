import { bytes, duration } from '../lib/units.js';
import { along, APART, BAR, PITCH } from './layout.js';
import { METRICS, stroke, tone } from './measure.js';

// How wide a node's place is on the screen, in pixels, from which on more is shown.
const NAMES = 56;
const PORTS = 150;
const QUEUES = 210;
const TONES = 12;
const STUB = 11;

/** Every link as a line to be drawn, the most telling last: each direction, and for those who look from far away the worse of both. */
export function lines({ cables, ports, most, mostAtPort }, metric, scale, dark) {
  const { of, sure } = METRICS[metric];
  const line = ({ link, curve: c }) => {
    const value = of(link);
    const down = link.state === 'down';
    const known = value !== undefined && scale;
    const step = known ? Math.round(scale.share(value) * TONES) : -1;
    return {
      c, down, step,
      dashed: !down && (!known || !sure(link)),
      width: down ? 2 : Math.round(stroke(link.reports, most) * 2) / 2,
      colour: step < 0 ? null : tone(step / TONES, dark),
      left: Math.min(c[0], c[6]), right: Math.max(c[0], c[6]), top: Math.min(c[1], c[3], c[5], c[7]), bottom: Math.max(c[1], c[3], c[5], c[7]),
    };
  };
  // What leaves towards hosts has no other end to be seen.
  const stub = (port) => {
    const reports = port.queues.reduce((sum, queue) => sum + (queue.reports ?? 0), 0);
    const worst = port.queues.reduce((most, queue) => Math.max(most, queue.latencyNs?.p99 ?? -1), -1);
    const value = metric === 'reports' ? reports : metric === 'latency' ? worst : -1;
    const step = value >= 0 && scale ? Math.max(0, Math.min(TONES, Math.round(scale.share(value) * TONES))) : -1;
    const { x, y } = port;
    return {
      c: [x, y, x, y + STUB / 3, x, y + STUB / 1.5, x, y + STUB], down: false, step, dashed: step < 0, node: port.node,
      width: Math.round(stroke(reports, mostAtPort) * 2) / 2, colour: step < 0 ? null : tone(step / TONES, dark),
      left: x, right: x, top: y, bottom: y + STUB,
    };
  };
  const order = (a, b) => a.down - b.down || a.step - b.step || a.dashed - b.dashed || a.width - b.width;
  return {
    near: [...cables.flatMap((cable) => cable.ways.map(line)), ...ports.filter((port) => port.stub).map(stub)].sort(order),
    far: cables.map((cable) => line(cable.ways.reduce((a, b) => (rank(b.link, of) > rank(a.link, of) ? b : a)))).sort(order),
  };
}
const rank = (link, of) => (link.state === 'down' ? Infinity : (of(link) ?? -1));

/** Those of them that reach into a part of the world, as it is seen at a zoom. */
export function visible(all, k, { left, right, top, bottom }) {
  return (levelOf(k) === 0 ? all.far : all.near).filter((one) => one.right >= left && one.left <= right && one.bottom >= top && one.top <= bottom);
}

/** Draws some lines; the context is in the coordinates of the world. */
export function stretch(ctx, list, from, to, k, look, fade = 1) {
  const level = levelOf(k);
  const thin = THIN[level];
  let last = null;
  for (let i = from; i < to; i++) {
    const one = list[i];
    if (!last || one.step !== last.step || one.down !== last.down || one.dashed !== last.dashed || one.width !== last.width) {
      // From far away what is as usual steps back, so that the rest is seen.
      const share = Math.max(0, one.step) / TONES;
      ctx.globalAlpha = one.down ? 1 : fade * (level >= 2 ? 1 : level === 0 ? 0.3 + 0.7 * share : 0.65 + 0.35 * share);
      ctx.strokeStyle = one.down ? look.bad : (one.colour ?? look.faint);
      ctx.lineWidth = Math.max(0.5, one.width * thin) / k;
      ctx.setLineDash(one.dashed ? [4 / k, 3 / k] : []);
    }
    last = one;
    const { c } = one;
    ctx.beginPath();
    ctx.moveTo(c[0], c[1]);
    ctx.bezierCurveTo(c[2], c[3], c[4], c[5], c[6], c[7]);
    ctx.stroke();
  }
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
}
const THIN = [0.45, 0.8, 1, 1];

export const levelOf = (k) => (PITCH * k >= QUEUES ? 3 : PITCH * k >= PORTS ? 2 : PITCH * k >= NAMES ? 1 : 0);

export function tierWord(tier) {
  if (tier === APART) return 'on no path';
  return tier === 0 ? 'edge' : tier === 1 ? '1 hop in' : `${tier} hops in`;
}

/**
 * Draws all of it. `view` is {x, y, k}: world to screen is world * k + x, y. `scene` has nodes, at, rows, cables, ports; `marks` what is
 * chosen: node, focus, over (hovered), ways (paths to be drawn over everything).
 */
export function draw(ctx, { scene, layer, view, width, height, ratio, look, marks, metric, scale, mostQueue }) {
  const { x, y, k } = view;
  const level = levelOf(k);
  const font = (size, weight = 400) => `${weight} ${size}px ${look.face}`;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  const sx = (wx) => wx * k + x;
  const sy = (wy) => wy * k + y;
  const faded = marks.ways.length > 0 || marks.node !== undefined;

  const thin = THIN[level];
  ctx.lineCap = 'butt';
  layer.paint(ctx, faded ? 0.3 : 1);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);

  // What touches the chosen or hovered node stays in full colour.
  const special = marks.over?.way ? [marks.over.way] : [];
  const own = marks.over?.node ?? marks.node;
  if (own !== undefined) for (const cable of scene.cables) for (const way of cable.ways) if (way.from.node === own || way.to.node === own) special.push(way);
  for (const way of special) {
    const value = METRICS[metric].of(way.link);
    const down = way.link.state === 'down';
    ctx.strokeStyle = down ? look.bad : value === undefined || !scale ? look.soft : tone(scale.share(value), look.dark);
    ctx.setLineDash(!down && (value === undefined || !METRICS[metric].sure(way.link)) ? [4, 3] : []);
    ctx.lineWidth = Math.max(1, stroke(way.link.reports, scene.most) * thin + (marks.over?.way === way ? 1.2 : 0.3));
    trace(ctx, way.curve, sx, sy);
    ctx.stroke();
  }
  ctx.setLineDash([]);
  if (own !== undefined && level > 0) layer.again(ctx, own);

  const inside = (px, py, by = 60) => px > -by && px < width + by && py > -by && py < height + by;
  if (level >= 2) for (const cable of scene.cables) for (const way of cable.ways) arrow(way);

  // Bars. Of those that are silent only the outline is left.
  const thick = level === 0 ? 2.4 : 3.4;
  for (const node of scene.nodes) {
    const here = scene.at.get(node.id);
    const px = sx(here.x);
    const py = sy(here.y);
    if (!inside(px, py, 200)) continue;
    const half = Math.max(3, BAR * k);
    if (node.id === marks.node || node.id === marks.focus) {
      ctx.fillStyle = look.accentSoft;
      ctx.fillRect(px - half - 5, py - 7, half * 2 + 10, 14);
    }
    ctx.fillStyle = node.id === marks.node ? look.accent : look.ink;
    if (node.state === 'silent') {
      ctx.strokeStyle = look.soft;
      ctx.lineWidth = 1;
      ctx.setLineDash([2, 2]);
      ctx.strokeRect(px - half, py - thick / 2, half * 2, thick);
      ctx.setLineDash([]);
    } else ctx.fillRect(px - half, py - thick / 2, half * 2, thick);
    if (node.drops > 0) {
      ctx.fillStyle = look.bad;
      ctx.fillRect(px + half + 2, py - thick / 2, thick, thick);
    }
  }
  const times = new Map();
  for (const way of marks.ways) if (way.kind !== 'before') way.hops.forEach((id, i) => way.times?.[i] !== undefined && times.set(id, duration(way.times[i])));
  marks.ways.forEach((way) => path(way));
  if (level >= 2) for (const port of scene.ports) portWords(port);
  names();
  tierWords();
  for (const cable of scene.cables) {
    const down = cable.ways.find((way) => way.link.state === 'down');
    if (down) cross(down);
  }
  marks.ways.forEach((way) => hopWords(way));

  function arrow(way) {
    const [c1, c2] = [way.curve[0] * k + x, way.curve[6] * k + x];
    if ((c1 < 0 && c2 < 0) || (c1 > width && c2 > width)) return;
    const [ax, ay] = along(way.curve, 0.3);
    const px = sx(ax);
    const py = sy(ay);
    if (!inside(px, py, 10)) return;
    const [bx, by] = along(way.curve, 0.32);
    const turn = Math.atan2(by - ay, bx - ax);
    const size = 2.6 + stroke(way.link.reports, scene.most) * 0.7;
    ctx.globalAlpha = faded ? 0.28 : 1;
    ctx.fillStyle = way.link.state === 'down' ? look.bad : fillOf(way.link);
    ctx.beginPath();
    ctx.moveTo(px + Math.cos(turn) * size * 1.3, py + Math.sin(turn) * size * 1.3);
    ctx.lineTo(px + Math.cos(turn + 2.4) * size, py + Math.sin(turn + 2.4) * size);
    ctx.lineTo(px + Math.cos(turn - 2.4) * size, py + Math.sin(turn - 2.4) * size);
    ctx.fill();
    ctx.globalAlpha = 1;
  }
  function fillOf(link) {
    const value = METRICS[metric].of(link);
    return value === undefined || !scale ? look.faint : tone(scale.share(value), look.dark);
  }
  function words(text, px, py, ink) {
    const one = sprite(text, ctx.font, ink, look.paper, ratio);
    const left = ctx.textAlign === 'center' ? one.wide / 2 : ctx.textAlign === 'right' ? one.wide : 0;
    // On whole pixels, or letters are blurred.
    const snap = (value) => Math.round(value * ratio) / ratio;
    ctx.drawImage(one.canvas, snap(px - left - PAD), snap(py - one.up - PAD), one.canvas.width / ratio, one.canvas.height / ratio);
  }
  function portWords(port) {
    const px = sx(port.x);
    const py = sy(port.y);
    if (!inside(px, py)) return;
    const room = port.room * k;
    const name = port.name ?? (port.interface === undefined ? '' : String(port.interface));
    const out = port.up ? -1 : 1;
    const reach = port.stub ? STUB * k : 0;
    ctx.globalAlpha = faded && port.node !== marks.node && !marks.ways.some((way) => way.hops.includes(port.node)) ? 0.4 : 1;
    ctx.font = font(10);
    ctx.textAlign = 'center';
    if (name && widthOf(ctx, name) + 6 <= room) words(name, px, py + out * (port.stub ? reach + 9 : 13) + (port.up ? 0 : 4), look.soft);
    if (level >= 3) {
      // The longest each queue of the port has been, as a column beside it.
      port.queues.forEach((queue, i) => {
        const tall = 20 * Math.sqrt((queue.occupancyMax ?? 0) / mostQueue);
        if (tall < 3) return;
        ctx.fillStyle = queue.congested || queue.drops > 0 ? look.bad : look.ink;
        ctx.fillRect(px + 5 + i * 5, port.up ? py - 3 - tall : py + 3, 3.5, tall);
        const text = bytes(queue.occupancyMax);
        ctx.textAlign = 'left';
        if (port.queues.length === 1 && widthOf(ctx, text) + 14 <= room / 2 + 16) words(text, px + 11, port.up ? py - 5 : py + 14, look.ink);
        ctx.textAlign = 'center';
      });
    }
    ctx.globalAlpha = 1;
  }
  // Far away only those on a chosen way have room for a name.
  function names() {
    const size = level === 0 || (level === 1 && PITCH * k < 80) ? 10 : level === 3 ? 12 : 11;
    const letters = level === 0 ? 24 : Math.floor((PITCH * k - 4) / (size * 0.58));
    for (const node of scene.nodes) {
      const here = scene.at.get(node.id);
      const px = sx(here.x);
      const py = sy(here.y);
      const onWay = marks.ways.some((way) => way.hops.includes(node.id));
      if (!inside(px, py, 120) || (level === 0 && !onWay && node.id !== marks.node)) continue;
      const name = node.name ?? String(node.id);
      const short = shortened(name, letters);
      const low = here.tier <= 0;
      let drop = level === 0 ? -13 : -9;
      if (low) drop = scene.stubs.has(node.id) && level > 0 ? STUB * k + (level === 1 ? 12 : 28) : level === 0 ? 20 : 16;
      else if (scene.uppers.has(node.id) && level >= 2) drop = -24;
      // Room for the number of the hop.
      if (onWay && Math.abs(drop) < 20) drop += low ? 6 : -5;
      const ink = node.id === marks.node ? look.accent : !faded || onWay ? look.ink : look.soft;
      ctx.font = font(size, level >= 2 || onWay ? 600 : 400);
      const time = times.get(node.id);
      ctx.textAlign = 'center';
      words(short, px, py + drop, ink);
      if (time) {
        const beside = px + widthOf(ctx, short) / 2 + 8;
        ctx.textAlign = 'left';
        words(time, beside, py + drop, look.accent);
      }
    }
  }
  function tierWords() {
    ctx.font = font(11);
    ctx.textAlign = 'left';
    for (const row of scene.rows) {
      const py = Math.max(Math.min(sy(row.bottom), height - 12), sy(row.top));
      if (py < 6 || py > height) continue;
      words(`${tierWord(row.tier)}`, 2, py + 4, look.soft);
      if (row.count > 6) words(String(row.count), 2, py + 18, look.faint);
    }
  }
  function cross(way) {
    const [mx, my] = along(way.curve, 0.5);
    const [px, py] = [sx(mx), sy(my)];
    ctx.strokeStyle = look.paper;
    ctx.lineWidth = 5;
    mark(px, py, 4);
    ctx.strokeStyle = look.bad;
    ctx.lineWidth = 1.8;
    mark(px, py, 4);
  }
  function mark(px, py, size) {
    ctx.beginPath();
    ctx.moveTo(px - size, py - size);
    ctx.lineTo(px + size, py + size);
    ctx.moveTo(px + size, py - size);
    ctx.lineTo(px - size, py + size);
    ctx.stroke();
  }
  function path(way) {
    ctx.save();
    ctx.translate(way.shift ?? 0, (way.shift ?? 0) * 0.5);
    ctx.lineJoin = 'round';
    ctx.lineCap = 'round';
    // Only where it crosses others is it set off from them; bars stay whole.
    ctx.strokeStyle = look.paper;
    ctx.lineWidth = 7;
    ctx.lineCap = 'butt';
    for (const piece of way.line) {
      if (piece.length !== 8) continue;
      trace(ctx, piece, sx, sy);
      ctx.stroke();
    }
    ctx.lineCap = 'round';
    ctx.strokeStyle = way.kind === 'before' ? look.soft : look.accent;
    ctx.lineWidth = 3;
    ctx.setLineDash(way.kind === 'before' ? [2, 5] : []);
    ctx.beginPath();
    way.line.forEach((piece, i) => {
      if (i === 0) ctx.moveTo(sx(piece[0]), sy(piece[1]));
      else ctx.lineTo(sx(piece[0]), sy(piece[1]));
      if (piece.length === 8) ctx.bezierCurveTo(sx(piece[2]), sy(piece[3]), sx(piece[4]), sy(piece[5]), sx(piece[6]), sy(piece[7]));
    });
    ctx.stroke();
    ctx.restore();
  }
  function hopWords(way) {
    way.hops.forEach((id, i) => {
      const here = scene.at.get(id);
      if (!here || (way.kind === 'before' && marks.ways.some((other) => other !== way && other.hops.includes(id)))) return;
      const px = sx(here.x);
      const py = sy(here.y);
      if (!inside(px, py)) return;
      ctx.fillStyle = look.paper;
      ctx.beginPath();
      ctx.arc(px, py, 10, 0, 7);
      ctx.fill();
      ctx.fillStyle = way.kind === 'before' ? look.soft : look.accent;
      ctx.beginPath();
      ctx.arc(px, py, 8.5, 0, 7);
      ctx.fill();
      ctx.font = font(11, 600);
      ctx.textAlign = 'center';
      ctx.fillStyle = look.paper;
      ctx.fillText(String(i + 1), px, py + 4);
    });
    if (way.kind !== 'path' && way.line.length) {
      const middle = way.line.find((piece) => piece.length === 8);
      if (!middle) return;
      const [mx, my] = along(middle, 0.42);
      ctx.font = font(11, 600);
      ctx.textAlign = way.kind === 'before' ? 'right' : 'left';
      words(way.kind, sx(mx) + (way.kind === 'before' ? -12 : 14), sy(my) + (way.kind === 'before' ? -4 : 14), way.kind === 'before' ? look.soft : look.accent);
    }
  }
}

// Names of switches differ at their end.
function shortened(name, letters) {
  if (name.length <= letters) return name;
  const tail = Math.max(3, Math.ceil(letters * 0.6));
  return `${name.slice(0, Math.max(1, letters - tail - 1))}…${name.slice(-tail)}`;
}

// Words set off from what is behind them are slow to draw; each is drawn once and then copied.
const PAD = 3;
const MOST = 4000;
const sprites = new Map();
const ruler = document.createElement('canvas').getContext('2d');
function sprite(text, font, ink, paper, ratio) {
  const key = `${font}|${ink}|${ratio}|${text}`;
  let one = sprites.get(key);
  if (one) return one;
  if (sprites.size >= MOST) sprites.clear();
  ruler.font = font;
  const wide = ruler.measureText(text).width;
  const size = Number(/([0-9.]+)px/.exec(font)[1]);
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil((wide + 2 * PAD) * ratio);
  canvas.height = Math.ceil((size * 1.4 + 2 * PAD) * ratio);
  const ctx = canvas.getContext('2d');
  ctx.scale(ratio, ratio);
  ctx.font = font;
  ctx.strokeStyle = paper;
  ctx.lineWidth = 3;
  ctx.lineJoin = 'round';
  ctx.strokeText(text, PAD, PAD + size);
  ctx.fillStyle = ink;
  ctx.fillText(text, PAD, PAD + size);
  one = { canvas, wide, up: size };
  sprites.set(key, one);
  return one;
}
const widths = new Map();
function widthOf(ctx, text) {
  const key = `${ctx.font}|${text}`;
  if (!widths.has(key)) {
    if (widths.size >= MOST) widths.clear();
    widths.set(key, ctx.measureText(text).width);
  }
  return widths.get(key);
}

function trace(ctx, [x1, y1, x2, y2, x3, y3, x4, y4], sx, sy) {
  ctx.beginPath();
  ctx.moveTo(sx(x1), sy(y1));
  ctx.bezierCurveTo(sx(x2), sy(y2), sx(x3), sy(y3), sx(x4), sy(y4));
}
