import { post } from '../lib/api.js';
import { login, mayAct, session } from '../lib/session.svelte.js';

/**
 * What somebody is about to do to the network. `asked` is the act that waits for a yes or for a token; `said` what came of the
 * last one. `turn` counts: who shows states reads it, and looks again after each act. `comment`: what is to be written into the audit beside it, if anything.
 */
export const acting = $state({ asked: null, needsToken: false, busy: false, wrong: '', said: null, turn: 0, comment: '' });

/**
 * An act is {words, facts, calls: [{path, body, words}], danger, confirm, comment}. It sends what was seen when it was asked for: where that
 * has changed since, nothing is done. `done` is called when it was.
 */
export function ask(act) {
  acting.said = null;
  acting.wrong = '';
  acting.comment = act.comment ?? '';
  acting.needsToken = !mayAct();
  acting.asked = act;
  if (!act.confirm && !acting.needsToken) perform();
}

/** As long as the audit takes it. */
export const LONGEST_COMMENT = 500;

/** What went well need not be read twice. */
const SHOWN = 10_000;
function tell(said) {
  acting.said = said;
  if (said.good) setTimeout(() => acting.said?.text === said.text && (acting.said = null), SHOWN);
}

export function leave() {
  if (!acting.busy) acting.asked = null;
}

/** With a token that was typed in, where who this is may not. */
export async function perform(typed) {
  const act = acting.asked;
  if (!act || acting.busy) return;
  acting.busy = true;
  acting.wrong = '';
  const done = [];
  try {
    if (acting.needsToken) await login(typed);
    acting.needsToken = false;
    const comment = acting.comment.trim();
    for (const call of act.calls) {
      await post(call.path, comment ? { ...call.body, comment } : call.body);
      done.push(call);
    }
    acting.asked = null;
    act.done?.();
    tell({ good: true, words: act.words, text: act.told ?? 'Done.' });
  } catch (problem) {
    const denied = problem.status === 401 || problem.status === 429 || (problem.status === 403 && done.length === 0);
    if (session.locked !== null) {
      acting.asked = null; // the whole page asks who this is
    } else if (denied) {
      acting.needsToken = true;
      acting.wrong = problem.message;
    } else {
      const before = act.calls.length > 1 ? `${done.length} of ${act.calls.length} done. ` : '';
      acting.asked = null;
      tell({ good: false, words: act.calls[done.length]?.words ?? act.words, text: before + (problem.status === undefined ? 'The collector does not answer: nobody knows whether it was done.' : problem.message) });
    }
  } finally {
    acting.busy = false;
    acting.turn++;
  }
}
