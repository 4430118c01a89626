// What has to be there before anything else. A file of its own because the content security policy allows no inline script.

// Nothing may make elements or scripts of a text, whoever writes it (Trusted Types). Texts without a tag may pass: libraries
// write style sheets that way, and empty what they have drawn.
globalThis.trustedTypes?.createPolicy('default', {
  createHTML: (text) => (/<[a-z/!?]/i.test(text) ? null : text),
});

// The schema library looks whether it may compile its checks, by compiling one. It may not, and each try would be a violation.
globalThis.__zod_globalConfig = { jitless: true };

// Sets theme, density and keys before anything is drawn, so that a dark screen never flashes white.
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
  root.setAttribute('data-single-keys', stored('airdeck.single-keys') === 'off' ? 'off' : 'on');
})();
