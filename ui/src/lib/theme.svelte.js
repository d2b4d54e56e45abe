const KEY = 'pathlore.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const chosen = localStorage.getItem(KEY);

export const theme = $state({ mode: chosen ?? 'auto', dark: chosen ? chosen === 'dark' : system.matches });

system.addEventListener('change', () => {
  if (theme.mode === 'auto') theme.dark = system.matches;
});

export function nextTheme() {
  theme.mode = { auto: 'light', light: 'dark', dark: 'auto' }[theme.mode];
  theme.dark = theme.mode === 'auto' ? system.matches : theme.mode === 'dark';
  if (theme.mode === 'auto') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme.mode);
}
