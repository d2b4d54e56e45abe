import { stretch, visible } from './draw.js';

const DIRECT = 64;
const MARGIN = 0.25;
const GOOD = 18;
const SLOW = 28;

/**
 * The links behind everything else. A few are drawn with each frame. Of many a picture is made beside, some of them with each frame, and
 * shown moved and scaled until the next one is ready: so whoever drags never waits for thousands of lines.
 */
export class Layer {
  #shown = null;
  #job = null;
  #portion = 120;
  #last = 0;

  /** To be told before each frame what it is about; says whether there is more to do. */
  prepare(all, view, width, height, ratio, look, moving) {
    Object.assign(this, { all, view, width, height, ratio, look, moving });
    this.list = visible(all, view.k, this.#world(0));
    if (this.list.length <= DIRECT) {
      this.#job = null;
      return false;
    }
    const now = performance.now();
    const gap = now - this.#last;
    this.#last = now;
    if (gap < GOOD) this.#portion = Math.min(2000, this.#portion * 1.3);
    else if (gap > SLOW && gap < 1000) this.#portion = Math.max(40, this.#portion * 0.7);
    if (this.#job && (this.#job.all !== all || this.#job.look !== look || this.#job.ratio !== ratio)) this.#job = null;
    if (!this.#job && !this.#fits()) this.#begin();
    if (this.#job) this.#go();
    return this.#job !== null || !this.#fits();
  }

  paint(ctx, alpha) {
    const { view, ratio, look } = this;
    if (this.list.length <= DIRECT) {
      ctx.setTransform(ratio * view.k, 0, 0, ratio * view.k, ratio * view.x, ratio * view.y);
      stretch(ctx, this.list, 0, this.list.length, view.k, look, alpha);
      return;
    }
    const picture = this.#shown ?? this.#job;
    if (picture) {
      const scale = view.k / picture.view.k;
      ctx.setTransform(1, 0, 0, 1, 0, 0);
      ctx.globalAlpha = alpha;
      ctx.drawImage(
        picture.canvas,
        ratio * (view.x + scale * picture.left),
        ratio * (view.y + scale * picture.top),
        picture.canvas.width * scale,
        picture.canvas.height * scale,
      );
      ctx.globalAlpha = 1;
    }
    // A link that is down is never pale.
    const down = this.list.filter((one) => one.down);
    ctx.setTransform(ratio * view.k, 0, 0, ratio * view.k, ratio * view.x, ratio * view.y);
    stretch(ctx, down, 0, down.length, view.k, look);
  }

  /** What leaves one node towards hosts, in full colour. */
  again(ctx, node) {
    const { view, ratio, look } = this;
    const own = this.list.filter((one) => one.node === node);
    ctx.setTransform(ratio * view.k, 0, 0, ratio * view.k, ratio * view.x, ratio * view.y);
    stretch(ctx, own, 0, own.length, view.k, look);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  #world(margin) {
    const { view, width, height } = this;
    const [mx, my] = [width * margin, height * margin];
    return { left: (-mx - view.x) / view.k, right: (width + mx - view.x) / view.k, top: (-my - view.y) / view.k, bottom: (height + my - view.y) / view.k };
  }
  #fits() {
    const one = this.#shown;
    if (!one || one.all !== this.all || one.look !== this.look || one.ratio !== this.ratio || !this.#sharp(one.view.k / this.view.k)) return false;
    const here = this.#world(0);
    return one.world.left <= here.left && one.world.right >= here.right && one.world.top <= here.top && one.world.bottom >= here.bottom;
  }
  // While it moves nobody sees that lines are a little thick or thin.
  #sharp(scale) {
    return this.moving ? scale > 0.5 && scale < 1.8 : Math.abs(scale - 1) < 0.01;
  }
  #begin() {
    const { all, view, width, height, ratio, look } = this;
    const world = this.#world(MARGIN);
    const list = visible(all, view.k, world);
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(width * (1 + 2 * MARGIN) * ratio);
    canvas.height = Math.ceil(height * (1 + 2 * MARGIN) * ratio);
    const [left, top] = [-width * MARGIN, -height * MARGIN];
    this.#job = { all, look, ratio, view, world, list, canvas, left: left - view.x, top: top - view.y, at: 0 };
    const ctx = (this.#job.ctx = canvas.getContext('2d'));
    ctx.setTransform(ratio * view.k, 0, 0, ratio * view.k, ratio * (view.x - left), ratio * (view.y - top));
  }
  #go() {
    const job = this.#job;
    const to = Math.min(job.list.length, job.at + Math.round(this.#portion));
    stretch(job.ctx, job.list, job.at, to, job.view.k, job.look);
    job.at = to;
    if (to < job.list.length) return;
    this.#shown = job;
    this.#job = null;
  }
}
