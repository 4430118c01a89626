// Sets theme and density before anything is drawn, so that a dark screen never flashes white. A file of its own because
// the content security policy allows no inline script.
(() => {
  const root = document.documentElement;
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = stored('airdeck.theme');
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  root.setAttribute('data-density', stored('airdeck.density') === 'compact' ? 'compact' : 'comfortable');
})();
