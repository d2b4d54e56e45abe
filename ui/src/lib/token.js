// A link may carry a token behind its '#': it never goes over the wire there. It is taken out of the address bar at once and
// lives as long as the tab.
const KEY = 'pathlore.token';
const given = /[#&?]token=([A-Za-z0-9._~-]+)/.exec(location.hash);
if (given) {
  sessionStorage.setItem(KEY, given[1]);
  history.replaceState(null, '', location.pathname + location.search);
}

export const token = () => sessionStorage.getItem(KEY);
export const setToken = (text) => (text ? sessionStorage.setItem(KEY, text) : sessionStorage.removeItem(KEY));
