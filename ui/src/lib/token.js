// A link may carry a token behind its '#': it never goes over the wire there. It is taken out of the address bar at once and
// lives as long as the tab.
const KEY = 'pathlore.token';

function take() {
  const given = /[#&?]token=([A-Za-z0-9._~-]+)/.exec(location.hash);
  if (!given) return;
  sessionStorage.setItem(KEY, given[1]);
  // What else is there is where somebody wants to go.
  const rest = location.hash.replace(/([#&?])token=[A-Za-z0-9._~-]+&?/, '$1').replace(/[&?]$/, '');
  history.replaceState(null, '', location.pathname + location.search + (rest === '#' ? '' : rest));
}

// This module is loaded before all that read the fragment, and hears of a change before them.
window.addEventListener('hashchange', take);
take();

export const token = () => sessionStorage.getItem(KEY);
export const setToken = (text) => (text ? sessionStorage.setItem(KEY, text) : sessionStorage.removeItem(KEY));
