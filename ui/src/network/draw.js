import { bytes, duration } from '../lib/units.js';
import { along, APART, BAR, PITCH } from './layout.js';
import { METRICS, stroke, tone } from './measure.js';

// How wide a node's place is on the screen, in pixels, from which on more is shown.
const NAMES = 44;
const PORTS = 150;
const QUEUES = 210;
const TONES = 12;

/** Links of the same look are one stroke: a few dozen for thousands of links. */
export function strokes(cables, metric, scale, most, dark) {
  const { of, sure } = METRICS[metric];
  const groups = new Map();
  const add = (way, side) => {
    const { link, curve } = way;
    const value = of(link);
    const down = link.state === 'down';
    const known = value !== undefined && scale;
    const step = known ? Math.round(scale.share(value) * TONES) : -1;
    const width = down ? 2 : Math.round(stroke(link.reports, most) * 2) / 2;
    const dashed = !down && (!known || !sure(link));
    const key = `${side}${down ? 'x' : step}/${width}/${dashed}`;
    if (!groups.has(key)) groups.set(key, { side, down, dashed, width, step, colour: down || step < 0 ? null : tone(step / TONES, dark), path: new Path2D() });
    const { path } = groups.get(key);
    path.moveTo(curve[0], curve[1]);
    path.bezierCurveTo(...curve.slice(2));
  };
  for (const cable of cables) {
    for (const way of cable.ways) add(way, 'near');
    // From far away the two directions are one line: the worse one.
    add(cable.ways.reduce((a, b) => (rank(b.link, of) > rank(a.link, of) ? b : a)), 'far');
  }
  return [...groups.values()].sort((a, b) => a.down - b.down || a.step - b.step);
}
const rank = (link, of) => (link.state === 'down' ? Infinity : (of(link) ?? -1));

export const levelOf = (k) => (PITCH * k >= QUEUES ? 3 : PITCH * k >= PORTS ? 2 : PITCH * k >= NAMES ? 1 : 0);

export function tierWord(tier) {
  if (tier === APART) return 'on no path';
  return tier === 0 ? 'edge' : tier === 1 ? '1 hop in' : `${tier} hops in`;
}

/**
 * Draws all of it. `view` is {x, y, k}: world to screen is world * k + x, y. `scene` has nodes, at, rows, cables, ports; `marks` what is
 * chosen: node, focus, over (hovered), ways (paths to be drawn over everything).
 */
export function draw(ctx, { scene, groups, view, width, height, ratio, look, marks, metric, scale, mostQueue }) {
  const { x, y, k } = view;
  const level = levelOf(k);
  const font = (size, weight = 400) => `${weight} ${size}px ${look.face}`;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  const sx = (wx) => wx * k + x;
  const sy = (wy) => wy * k + y;
  const faded = marks.ways.length > 0 || marks.node !== undefined;

  ctx.setTransform(ratio * k, 0, 0, ratio * k, ratio * x, ratio * y);
  const side = level === 0 ? 'far' : 'near';
  const thin = level === 0 ? 0.6 : level === 1 ? 0.85 : 1;
  ctx.lineCap = 'butt';
  for (const group of groups) {
    if (group.side !== side) continue;
    ctx.globalAlpha = group.down ? 1 : faded ? 0.28 : level === 0 ? 0.75 : 1;
    ctx.strokeStyle = group.down ? look.bad : (group.colour ?? look.faint);
    ctx.lineWidth = Math.max(0.5, group.width * thin) / k;
    ctx.setLineDash(group.dashed ? [4 / k, 3 / k] : []);
    ctx.stroke(group.path);
  }
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
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

  const inside = (px, py, by = 60) => px > -by && px < width + by && py > -by && py < height + by;
  if (level >= 1) for (const port of scene.ports) if (port.stub) stub(port);
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
  if (level >= 2) for (const port of scene.ports) portWords(port);
  if (level >= 1) names();
  tierWords();
  for (const cable of scene.cables) {
    const down = cable.ways.find((way) => way.link.state === 'down');
    if (down) cross(down);
  }
  marks.ways.forEach((way) => path(way));
  marks.ways.forEach((way) => hopWords(way));

  function stub(port) {
    const px = sx(port.x);
    const py = sy(port.y);
    if (!inside(px, py)) return;
    const worst = port.queues.reduce((a, b) => Math.max(a, b.latencyNs?.p99 ?? -1), -1);
    const reports = port.queues.reduce((a, b) => a + (b.reports ?? 0), 0);
    const value = metric === 'reports' ? reports : metric === 'latency' ? worst : -1;
    ctx.globalAlpha = faded && port.node !== marks.node ? 0.35 : 1;
    ctx.strokeStyle = value < 0 || !scale ? look.faint : tone(scale.share(value), look.dark);
    ctx.lineWidth = Math.max(0.8, stroke(reports, scene.most) * thin);
    ctx.setLineDash(value < 0 ? [3, 2] : []);
    ctx.beginPath();
    ctx.moveTo(px, py);
    ctx.lineTo(px, py + stubLength());
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
  }
  function stubLength() {
    return level === 1 ? 8 : level === 2 ? 16 : 24;
  }
  function arrow(way) {
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
  function words(text, px, py, ink, halo = true) {
    if (halo) {
      ctx.strokeStyle = look.paper;
      ctx.lineWidth = 3;
      ctx.lineJoin = 'round';
      ctx.strokeText(text, px, py);
    }
    ctx.fillStyle = ink;
    ctx.fillText(text, px, py);
  }
  function portWords(port) {
    const px = sx(port.x);
    const py = sy(port.y);
    if (!inside(px, py)) return;
    const room = port.room * k;
    const name = port.name ?? (port.interface === undefined ? '' : String(port.interface));
    const out = port.up ? -1 : 1;
    const reach = port.stub ? stubLength() : 0;
    ctx.globalAlpha = faded && port.node !== marks.node && !marks.ways.some((way) => way.hops.includes(port.node)) ? 0.4 : 1;
    ctx.font = font(10);
    ctx.textAlign = 'center';
    if (name && ctx.measureText(name).width + 6 <= room) words(name, px, py + out * (port.stub ? reach + 9 : 13) + (port.up ? 0 : 4), look.soft);
    if (level >= 3) {
      // The longest each queue of the port has been, as a column beside it.
      port.queues.forEach((queue, i) => {
        if (!(queue.occupancyMax > 0)) return;
        const tall = 2 + 18 * Math.sqrt(queue.occupancyMax / mostQueue);
        ctx.fillStyle = queue.congested || queue.drops > 0 ? look.bad : look.ink;
        ctx.fillRect(px + 5 + i * 5, port.up ? py - 3 - tall : py + 3, 3.5, tall);
        const text = bytes(queue.occupancyMax);
        ctx.textAlign = 'left';
        if (port.queues.length === 1 && ctx.measureText(text).width + 14 <= room / 2 + 16) words(text, px + 11, port.up ? py - 5 : py + 14, look.ink);
        ctx.textAlign = 'center';
      });
    }
    ctx.globalAlpha = 1;
  }
  function names() {
    const size = level === 1 && PITCH * k < 80 ? 10 : level === 3 ? 12 : 11;
    ctx.font = font(size, level >= 2 ? 600 : 400);
    ctx.textAlign = 'center';
    const letters = Math.floor((PITCH * k - 4) / (size * 0.58));
    for (const node of scene.nodes) {
      const here = scene.at.get(node.id);
      const px = sx(here.x);
      const py = sy(here.y);
      if (!inside(px, py, 120)) continue;
      const name = node.name ?? String(node.id);
      const short = name.length > letters ? `${name.slice(0, Math.max(2, letters - 1))}…` : name;
      const low = here.tier <= 0;
      const drop = low ? (level === 1 ? 21 : level === 2 ? 44 : 54) : level >= 2 ? -24 : -8;
      const lit = !faded || node.id === marks.node || marks.ways.some((way) => way.hops.includes(node.id));
      words(short, px, py + (low && !scene.stubs.has(node.id) ? 15 : !low && !scene.uppers.has(node.id) ? -9 : drop), node.id === marks.node ? look.accent : lit ? look.ink : look.soft);
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
    for (const halo of [true, false]) {
      ctx.strokeStyle = halo ? look.paper : way.kind === 'before' ? look.soft : look.accent;
      ctx.lineWidth = halo ? 7 : 3;
      ctx.setLineDash(!halo && way.kind === 'before' ? [2, 5] : []);
      ctx.beginPath();
      way.line.forEach((piece, i) => {
        if (piece.length === 8) {
          if (i === 0) ctx.moveTo(sx(piece[0]), sy(piece[1]));
          else ctx.lineTo(sx(piece[0]), sy(piece[1]));
          ctx.bezierCurveTo(sx(piece[2]), sy(piece[3]), sx(piece[4]), sy(piece[5]), sx(piece[6]), sy(piece[7]));
        } else if (i === 0) ctx.moveTo(sx(piece[0]), sy(piece[1]));
        else ctx.lineTo(sx(piece[0]), sy(piece[1]));
      });
      ctx.stroke();
    }
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
      const time = way.times?.[i];
      if (time !== undefined && way.kind !== 'before') {
        ctx.font = font(12, 600);
        ctx.textAlign = 'left';
        words(duration(time), px + 14, here.tier <= 0 ? py - 9 : py + 17, look.ink);
      }
    });
    if (way.kind !== 'path' && way.line.length) {
      const middle = way.line.find((piece) => piece.length === 8);
      if (!middle) return;
      const [mx, my] = along(middle, 0.42);
      ctx.font = font(11, 600);
      ctx.textAlign = way.kind === 'before' ? 'right' : 'left';
      words(way.kind, sx(mx) + (way.kind === 'before' ? -9 : 9), sy(my), way.kind === 'before' ? look.soft : look.accent);
    }
  }
}

function trace(ctx, [x1, y1, x2, y2, x3, y3, x4, y4], sx, sy) {
  ctx.beginPath();
  ctx.moveTo(sx(x1), sy(y1));
  ctx.bezierCurveTo(sx(x2), sy(y2), sx(x3), sy(y3), sx(x4), sy(y4));
}
