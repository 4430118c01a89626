import { readFileSync } from 'node:fs';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { isCommon, isNeededByScreens, isNeededEverywhere, isOfTables, routeChunks } from './chunk-groups.ts';

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

// What the sign-in page is made of, as one file.
const signInParts =
  /\/apps\/dashboard\/src\/(components\/entry\/(entry-card|sign-in-form|use-sign-in|use-submit)|ui\/(text-field|product-mark))\./;
// Fields of forms: nearly every form has all of them.
const formParts =
  /\/@mantine\/(core\/esm\/components\/(TextInput|NativeSelect|Textarea|Input|InputBase|CloseButton|Checkbox|Switch|InlineInput|Fieldset|PasswordInput|Radio)|hooks\/esm\/use-(id|uncontrolled|focus-return|merged-ref))\//;
// One stylesheet for an area instead of one for a screen.
const areaStyles = /\/src\/(?:features\/|components\/(?=widgets)|(?=shell\/))([^/]+)\/.*\.module\.css/;
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
            codeSplittingOptions: { defaultBehavior: routeChunks.map((parts) => [...parts]) },
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
    // What loads later may be large (the layout of graphs); what loads first is held to limits by `npm run bench -- bundle`.
    chunkSizeWarningLimit: 2000,
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
            { name: 'common', test: isCommon },
            { name: 'tables', test: isOfTables },
            { name: (id) => `${areaStyles.exec(id)?.[1]}-styles`, debugName: 'styles of areas', test: areaStyles },
          ],
        },
      },
    },
  },
});

/** An invitation's link is a page of the dashboard; accepting it is a call to the same address. */
function ownPage({ url = '', headers }: { url?: string; headers: { accept?: string } }): string | undefined {
  return url.startsWith('/signup/') && headers.accept?.includes('text/html') === true ? '/index.html' : undefined;
}

/**
 * The first chunk names, for each screen, the files to load beside its own. Of some 400 names most are of files so small that
 * naming them costs every visit more than asking for them one step later costs the screen.
 */
const NAMED_FROM_BYTES = 6_000;
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
