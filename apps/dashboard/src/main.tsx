import './ui/mantine-styles.ts';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { startLanguage } from './language/page-language.ts';
import { t } from './language/translate.ts';
import { loadConfig } from './lib/app-config.ts';
import { createBrowserStorage } from './lib/browser-storage.ts';
import { ProductProvider } from './lib/product.ts';
import { tellRecovered } from './lib/recovered-error.ts';
import { styleNonce } from './lib/style-nonce.ts';
import { AppContextProvider } from './session/app-context.ts';
import { chooseIdentityProvider } from './session/identity-choice.ts';
import { watchIdle } from './session/idle-watch.ts';
import { ConfigProblemsPage } from './shell/config-problems-page.tsx';
import { type Application, startApplication } from './start.ts';
import { cssVariables, theme } from './ui/theme.ts';

const colorSchemes = localStorageColorSchemeManager({ key: 'airdeck.theme' });

async function boot(): Promise<{ problems: readonly string[] } | Application> {
  const storage = createBrowserStorage(() => window.localStorage);
  const page = { storage, languages: navigator.languages, root: document.documentElement };
  const [loaded] = await Promise.all([
    loadConfig(() => fetch('/config.json', { headers: { accept: 'application/json' } })),
    startLanguage(page),
  ]);
  if ('problems' in loaded) return loaded;
  const identity = await chooseIdentityProvider(loaded.config.identity_publishable_key, {
    fetch: window.fetch.bind(window),
    now: Date.now,
    idleMs: watchIdle(window, Date.now),
    channel: new BroadcastChannel('airdeck.identity'),
  }).catch(() => undefined);
  if (identity === undefined)
    return { problems: [t('The sign-in could not be loaded. Check your connection and reload.')] };
  return startApplication(loaded.config, identity);
}

function Root({ started }: { started: Awaited<ReturnType<typeof boot>> }) {
  if ('problems' in started) return <ConfigProblemsPage problems={started.problems} />;
  const { app, router } = started;
  return (
    <AppContextProvider value={app}>
      <ProductProvider value={{ name: app.config.product_name, shortName: app.config.product_short_name }}>
        <QueryClientProvider client={app.queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ProductProvider>
    </AppContextProvider>
  );
}

// Where the library that keeps the page from scrolling behind dialogs looks for it.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });
const started = await boot();
const element = document.getElementById('root');
if (element === null) throw new Error('The page has no root element.');
const root = createRoot(element, { onRecoverableError: (error) => tellRecovered(error) });
// In pieces between which the browser answers to people, which only a transition is drawn in.
startTransition(() =>
  root.render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={colorSchemes}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <Root started={started} />
      </MantineProvider>
    </StrictMode>,
  ),
);
