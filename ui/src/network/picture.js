import { bytes, duration } from '../lib/units.js';
import { BAR } from './layout.js';
import { METRICS, stroke, tone } from './measure.js';

const plain = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD]/g, '');
const n = (value) => value.toFixed(1);

/** The topology as a drawing that other programs can open, with everything that is written on it. */
export function svg({ scene, box, metric, scale, ways, look, caption }) {
  const { of, sure } = METRICS[metric];
  const [left, top] = [box.left - 90, box.top - 60];
  const [width, height] = [box.right - left + 60, box.bottom - top + 58];
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${n(left)} ${n(top)} ${n(width)} ${n(height)}" font-family="system-ui, sans-serif" font-size="9" fill="${look.ink}">`,
    `<rect x="${n(left)}" y="${n(top)}" width="${n(width)}" height="${n(height)}" fill="${look.paper}"/>`,
  ];
  for (const cable of scene.cables) {
    for (const { link, curve: c } of cable.ways) {
      const value = of(link);
      const down = link.state === 'down';
      const known = value !== undefined && scale;
      const ink = down ? look.bad : known ? tone(scale.share(value), look.dark) : look.faint;
      const dash = !down && (!known || !sure(link)) ? ' stroke-dasharray="3 2"' : '';
      const told = METRICS[metric].kind === 'ns' ? duration(value) : (value ?? '–');
      out.push(
        `<path d="M${n(c[0])} ${n(c[1])}C${c.slice(2).map(n).join(' ')}" fill="none" stroke="${ink}" stroke-width="${n(stroke(link.reports, scene.most) * 0.5)}"${dash}>` +
          `<title>${plain(`${link.from.name ?? link.from.node} to ${link.to.name ?? link.to.node}: ${down ? 'down' : told}`)}</title></path>`,
      );
    }
  }
  for (const port of scene.ports) {
    if (port.stub) out.push(`<line x1="${n(port.x)}" x2="${n(port.x)}" y1="${n(port.y)}" y2="${n(port.y + 7)}" stroke="${look.faint}" stroke-width="0.8"><title>${plain(port.name ?? port.interface)}${port.queues.length ? plain(`, queue up to ${bytes(port.queues[0].occupancyMax)}`) : ''}</title></line>`);
  }
  for (const node of scene.nodes) {
    const { x, y, tier } = scene.at.get(node.id);
    out.push(
      `<rect x="${n(x - BAR)}" y="${n(y - 1.2)}" width="${2 * BAR}" height="2.4" fill="${node.state === 'silent' ? 'none' : look.ink}" stroke="${node.state === 'silent' ? look.soft : 'none'}"/>`,
      `<text x="${n(x)}" y="${n(tier <= 0 ? y + 17 : y - 7)}" text-anchor="middle" stroke="${look.paper}" stroke-width="2" paint-order="stroke">${plain(node.name ?? node.id)}</text>`,
    );
  }
  for (const way of ways) {
    const d = way.line.map((piece, i) => (piece.length === 8 ? `${i ? 'L' : 'M'}${n(piece[0])} ${n(piece[1])}C${piece.slice(2).map(n).join(' ')}` : `${i ? 'L' : 'M'}${n(piece[0])} ${n(piece[1])}`)).join('');
    out.push(`<path d="${d}" fill="none" stroke="${way.kind === 'before' ? look.soft : look.accent}" stroke-width="2"${way.kind === 'before' ? ' stroke-dasharray="1 3"' : ''} stroke-linecap="round"/>`);
    way.hops.forEach((id, i) => {
      const here = scene.at.get(id);
      if (here) out.push(`<circle cx="${n(here.x)}" cy="${n(here.y)}" r="5.5" fill="${look.accent}"/><text x="${n(here.x)}" y="${n(here.y + 2.8)}" text-anchor="middle" font-size="8" fill="${look.paper}">${i + 1}</text>`);
      if (here && way.times?.[i] !== undefined) out.push(`<text x="${n(here.x + 9)}" y="${n(here.tier <= 0 ? here.y - 5 : here.y + 12)}">${plain(duration(way.times[i]))}</text>`);
    });
  }
  if (scale) {
    const [x, y] = [left + width - 150, top + height - 16];
    for (let i = 0; i < 24; i++) out.push(`<rect x="${n(x + i * 5)}" y="${n(y)}" width="5.2" height="4" fill="${tone(i / 23, look.dark)}"/>`);
    for (const [value, at] of [[scale.low, 0], [scale.high, 120]]) out.push(`<text x="${n(x + at)}" y="${n(y + 12)}" text-anchor="middle" font-size="7" fill="${look.soft}">${METRICS[metric].kind === 'ns' ? duration(value) : value}</text>`);
  }
  out.push(`<text x="${n(left + 6)}" y="${n(top + height - 6)}" fill="${look.soft}">${plain(caption)}</text>`, '</svg>');
  return out.join('\n');
}
