// A link may carry a token behind its '#': it never goes over the wire there. It is taken out of the address bar at once, and
// kept nowhere: what it is good for is a session.
let given;
let told = () => {};

function take() {
  const found = /[#&?]token=([A-Za-z0-9._~-]+)/.exec(location.hash);
  if (!found) return;
  given = found[1];
  // What else is there is where somebody wants to go.
  const rest = location.hash.replace(/([#&?])token=[A-Za-z0-9._~-]+&?/, '$1').replace(/[&?]$/, '');
  history.replaceState(null, '', location.pathname + location.search + (rest === '#' ? '' : rest));
  told();
}

// This module is loaded before all that read the fragment, and hears of a change before them.
window.addEventListener('hashchange', take);
take();

/** The token of the link one came by; undefined where it had none, or was asked before. */
export function taken() {
  const one = given;
  given = undefined;
  return one;
}

/** Calls it when another link brings one. */
export const whenTaken = (then) => (told = then);
