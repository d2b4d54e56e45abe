import { isLive, place } from './place.svelte.js';

const SOON = 2_000;
const LATER = 15_000;

const OLD = 8;

/** `age`: seconds since anything was answered, while answers are expected. */
export const pulse = $state({ paused: false, failing: '', seenAt: Date.now(), age: 0 });
export const isStale = () => pulse.age > OLD;

// Whoever comes back to a tab that slept finds it asking, not old.
document.addEventListener('visibilitychange', () => (pulse.seenAt = Math.max(pulse.seenAt, Date.now())));
setInterval(() => {
  pulse.age = isLive() && !pulse.paused && !document.hidden ? Math.round((Date.now() - pulse.seenAt) / 1000) : 0;
}, 1_000);

/**
 * What a question answers, asked again while the page is live and somebody looks. `question(signal)` reads whatever state it
 * needs before its first await; when that changes it is asked anew. The last answer stays until the next one is there.
 */
export function asking(question, every = SOON) {
  // Answers are replaced, never changed: no need to watch each value of thousands.
  let data = $state.raw();
  let error = $state.raw();
  let busy = $state(false);
  $effect(() => {
    const stop = new AbortController();
    let timer;
    const live = isLive();
    const paused = pulse.paused;
    async function ask(first) {
      busy = first;
      let wait = every;
      try {
        const answer = await question(stop.signal);
        if (stop.signal.aborted) return;
        data = answer;
        error = undefined;
        pulse.failing = '';
        pulse.seenAt = Date.now();
      } catch (problem) {
        if (stop.signal.aborted) return;
        error = problem;
        if (problem.status === undefined) pulse.failing = 'the collector does not answer';
        wait = problem.status === 422 ? LATER : Math.max(every, SOON);
      }
      busy = false;
      if (live && !paused) timer = setTimeout(() => (document.hidden ? again() : ask(false)), wait);
    }
    function again() {
      timer = setTimeout(() => (document.hidden ? again() : ask(false)), 500);
    }
    ask(true);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  });
  return {
    get data() {
      return data;
    },
    get error() {
      return error;
    },
    get busy() {
      return busy;
    },
  };
}

/** Parameters of a list that is of the time and filter at hand. */
export function span(more = {}) {
  return { since: place.since, until: place.until === 'now' ? undefined : place.until, filter: place.filter, ...more };
}
