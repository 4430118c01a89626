import { readFileSync } from 'node:fs';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as { version: string };

const testing = process.env.VITEST !== undefined;
const server = `http://127.0.0.1:${process.env.PORT ?? '4000'}`;
// What the server answers itself; everything else is the dashboard's.
const served = [
  '/api',
  '/auth',
  '/me',
  '/config.json',
  '/demo',
  '/health',
  '/signup/invite',
  '/external_providers',
  '/files',
];

const basePackages =
  /\/node_modules\/(react|react-dom|scheduler|clsx|@tanstack\/(react-router|router-core|history|query-core|react-query|react-store|store))\//;
const baseComponents =
  /\/node_modules\/@mantine\/core\/esm\/(core|components\/(Text|Title|Stack|Button|UnstyledButton|Loader|Transition|Skeleton|VisuallyHidden))\//;
const baseSources = [
  /\/src\/session\/(app-context|current-user|session-store|tenant-session|access|identity-provider|local-identity-calls)\./,
  /\/src\/session\/(handover|sign-out|api-token|token-claims)\./,
  /\/src\/lib\/(product|document-title|error-presentation|load-failures|query-policy|query-keys|search-params)\./,
  /\/src\/lib\/(wipe-caches|toasts|browser-storage)\./,
  /\/src\/language\/(translate|page-language)\./,
  /\/src\/(components\/(problem-note|failure-text)|shell\/message-page|ui\/skeletons)\./,
  // Addresses are read before any screen is there.
  /\/src\/features\/.+(-search|\/set-up-steps|\/story-kinds)\./,
  /\/packages\/(contracts\/src\/(limits|statuses)|domain\/src\/uuid)\./,
];
// Of those packages, and of our own parts, what only screens behind the sign-in use.
const screenParts = [
  /\/query-core\/build\/modern\/(queryObserver|queriesObserver|mutationObserver|infiniteQueryObserver|hydration)\./,
  /\/react-query\/build\/modern\/(?!index|QueryClientProvider|queryOptions)/,
  /\/react-router\/dist\/esm\/(useBlocker|useLocation)\./,
  /\/@tanstack\/store\/dist\/shallow\./,
  /\/@mantine\/core\/esm\/(components\/(Group|ActionIcon)|core\/DirectionProvider)\//,
  /\/@mantine\/core\/esm\/core\/utils\/(create-(scoped-keydown-handler|safe-context|event-handler)|find-element-\w|is-element)/,
  /\/@mantine\/core\/esm\/core\/utils\/(close-on-escape|get-(context-item-index|single-element-child|ref-prop|default-z-index))/,
  /\/@mantine\/core\/esm\/core\/MantineProvider\/use-mantine-color-scheme\/use-mantine-color-scheme\./,
  /\/src\/ui\/(page-header|panel|error-state|empty-state|state-block|copy-button|on-demand|tip|reader|use-now)\./,
  /\/src\/language\/(rich-text|plural)\./,
  /\/src\/(ui\/relative-time|session\/use-current-user|components\/(tenant-mark|status-table))/,
];
// What the sign-in page is made of, as one file.
const signInParts =
  /\/apps\/dashboard\/src\/(components\/entry\/(entry-card|sign-in-form|use-sign-in|use-submit)|ui\/(text-field|product-mark))\./;
// Fields of forms: nearly every form has all of them.
const formParts =
  /\/@mantine\/(core\/esm\/components\/(TextInput|NativeSelect|Textarea|Input|InputBase|CloseButton|Checkbox|Switch|InlineInput|Fieldset|PasswordInput|Radio)|hooks\/esm\/use-(id|uncontrolled|focus-return|merged-ref))\//;
// One stylesheet for an area instead of one for a screen.
const areaStyles = /\/src\/features\/([^/]+)\/.*\.module\.css/;
// One file each, they are dozens of requests, and of names the first chunk lists.
const laterIcons = /\/@tabler\/icons-react\/dist\/esm\/icons\/(?!IconAlertTriangle\.)/;

export default defineConfig({
  root: import.meta.dirname,
  // The router plugin must stand before react(). Tests use the committed route tree and need no code splitting.
  plugins: [
    ...(testing
      ? []
      : [
          tanstackRouter({
            target: 'react',
            autoCodeSplitting: true,
            // Loaders name the queries of their screen; kept in the first chunk they would make sign-in grow with every
            // screen there is.
            codeSplittingOptions: {
              defaultBehavior: [
                ['loader', 'component'],
                ['pendingComponent'],
                ['errorComponent'],
                ['notFoundComponent'],
              ],
            },
            quoteStyle: 'single',
            semicolons: true,
          }),
        ]),
    react(),
    preloadLatinFont(),
    noteSizes(),
  ],
  define: { __RELEASE__: JSON.stringify(version) },
  server: {
    proxy: Object.fromEntries(served.map((path) => [path, { target: server, changeOrigin: false, bypass: ownPage }])),
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Small fonts would become data addresses, which the content security policy refuses.
    assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
    manifest: true,
    modulePreload: { polyfill: false, resolveDependencies: withoutSmallFiles },
    rolldownOptions: {
      output: {
        // The first chunk lists every file there is, so that a screen's files load side by side: short names keep it small.
        chunkFileNames: 'assets/[hash].js',
        assetFileNames: ({ names }) =>
          names.some((name) => name.endsWith('.css')) ? 'assets/[hash].css' : 'assets/[name]-[hash][extname]',
        codeSplitting: {
          groups: [
            { name: 'base', test: isNeededEverywhere },
            { name: 'screens', test: isNeededByScreens },
            { name: 'icons', test: laterIcons },
            { name: 'sign-in', test: signInParts },
            { name: 'forms', test: formParts },
            { name: (id) => `${areaStyles.exec(id)?.[1]}-styles`, test: areaStyles },
          ],
        },
      },
    },
  },
  test: {
    name: 'dashboard',
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test-setup.ts'],
    // Stylesheets are not needed, except where one is what is tested.
    css: { include: [/tokens\.css/] },
  },
});

/** An invitation's link is a page of the dashboard; accepting it is a call to the same address. */
function ownPage({ url = '', headers }: { url?: string; headers: { accept?: string } }): string | undefined {
  return url.startsWith('/signup/') && headers.accept?.includes('text/html') === true ? '/index.html' : undefined;
}

/**
 * What every page loads goes into one file: left alone it becomes forty small ones, which cost 10 kB more once compressed
 * and forty requests. Only modules that all pages need belong here.
 */
function isNeededEverywhere(id: string): boolean {
  const path = id.replaceAll('\\', '/');
  // Every chunk that loads others asks the helper for it.
  if (path.includes('vite/preload-helper')) return true;
  if (isNeededByScreens(id)) return false;
  return basePackages.test(path) || baseComponents.test(path) || baseSources.some((part) => part.test(path));
}

/**
 * What nearly every screen behind the sign-in loads; whoever only signs in does not wait for it. The bench `bundle` shows
 * when one of them is pulled into the first chunk after all: the group then stands among the files of `/login`.
 */
function isNeededByScreens(id: string): boolean {
  const path = id.replaceAll('\\', '/');
  return screenParts.some((part) => part.test(path));
}

/**
 * The first chunk names, for each screen, the files to load beside its own. Of some 400 names most are of files so small that
 * naming them costs every visit more than asking for them one step later costs the screen.
 */
const NAMED_FROM_BYTES = 4_000;
const sizes = new Map<string, number>();

function noteSizes(): Plugin {
  return {
    name: 'note-sizes',
    apply: 'build',
    generateBundle: {
      // Before the list is written.
      order: 'pre',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) if (file.type === 'chunk') sizes.set(file.fileName, file.code.length);
      },
    },
  };
}

/** Stylesheets stay: only this list loads them. */
function withoutSmallFiles(_file: string, files: string[]): string[] {
  return files.filter((file) => !file.endsWith('.js') || (sizes.get(file) ?? NAMED_FROM_BYTES) >= NAMED_FROM_BYTES);
}

/** Text must not wait for the stylesheet to name its font; other subsets load only when a page needs them. */
function preloadLatinFont(): Plugin {
  return {
    name: 'preload-latin-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name));
        if (font === undefined) return [];
        const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: '' };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}
