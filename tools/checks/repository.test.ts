import { describe, expect, it } from 'vitest';
import { importsOf } from './imports.ts';
import { listFiles, namesAtRoot } from './source-files.ts';
import { isTestCode } from './test-code.ts';

/** What may lie at the root. Anything else is a stray file, or belongs into a folder. */
const rootNames = new Set([
  ...['.ci', '.git', '.github', '.gitignore', '.gitattributes', '.npmrc', '.dockerignore', '.editorconfig', '.vscode'],
  ...[
    'apps',
    'bench',
    'packages',
    'e2e',
    'docs',
    'security',
    'tools',
    'deploy',
    'data',
    'node_modules',
    'coverage',
    'test-results',
  ],
  ...['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.base.json', 'biome.json', 'knip.json'],
  ...['vitest.config.ts', 'Dockerfile', 'compose.yaml'],
]);

/** May read the environment: what parses it, what starts programs, and what tests them. */
const readsEnvironment = [
  /^tools\//,
  /^e2e\//,
  /^apps\/server\/src\/(config|entry)\//,
  /^apps\/cli\/(bin\/|src\/main\.ts$)/,
  /^apps\/dashboard\/vite\.config\.ts$/,
  // Hands the PATH and a locale on to child processes.
  /^apps\/server\/src\/storage\/(embedded|postgres)-[a-z-]+\.ts$/,
  /\/bench\//,
];

const sockets = /^(node:)?(net|tls|dgram|http|https|http2)$|^undici$/;

/** What people name goes through the egress module; these listen, or call what the operator of the installation named. */
const socketsOfTheServer: Readonly<Record<string, string>> = {
  'apps/server/src/entry/tls-identity.ts': 'reads a certificate',
  'apps/server/src/events-process/events-http.ts': 'listens on loopback, for our own event store',
  'apps/server/src/modules/connectors/event-polling.ts': 'its own function of that name, which calls through egress',
  'apps/server/src/modules/demo/demo-feed.ts': 'sends the events of a demo to our own doors',
  'apps/server/src/modules/files/malware-scanner.ts': 'the scanner the operator names',
  'apps/server/src/modules/files/s3-bucket.ts': 'the bucket the operator names',
  'apps/server/src/modules/ingestion/syslog-tcp.ts': 'listens',
  'apps/server/src/modules/ingestion/syslog-udp.ts': 'listens',
  'apps/server/src/modules/operations/metrics-door.ts': 'listens',
  'apps/server/src/storage/free-port.ts': 'listens for a moment, to find a port',
  'apps/server/src/tracing/span-export.ts': 'the collector the operator names',
};

describe('the repository', () => {
  it('has nothing unexpected at its root', () => {
    expect(namesAtRoot().filter((name) => !rootNames.has(name) && !name.endsWith('.log'))).toEqual([]);
  });

  it('reads the environment only where it is parsed, so that every variable is checked at the start', () => {
    const readers = listFiles(/^(apps|packages)\/.*\.(ts|tsx|mjs)$/)
      .filter(({ path }) => !isTestCode(path) && !readsEnvironment.some((allowed) => allowed.test(path)))
      .filter(({ text }) => /\bprocess\s*\.\s*env\b/.test(withoutComments(text)));
    expect(readers.map(({ path }) => path)).toEqual([]);
  });

  it('opens sockets to vendors only in the egress module, which judges every address', () => {
    const problems = listFiles(/^packages\/(connectors|connector-kit)\/src\/.*\.ts$/)
      .filter(({ path }) => !isTestCode(path) && !/^packages\/connector-kit\/src\/egress[a-z/-]*\.ts$/.test(path))
      .flatMap(({ path, text }) => {
        // Reading an address is not opening a socket.
        const judged = text.replace(/import \{ (isIP(v4|v6)?(, )?)+ \} from 'node:net';/g, '');
        const imports = importsOf(judged).filter((one) => !one.typeOnly && sockets.test(one.specifier));
        const fetches = /(?<![.\w])fetch\s*\(|globalThis\.fetch/.test(withoutComments(text));
        return [
          ...imports.map((one) => `${path} imports ${one.specifier}`),
          ...(fetches ? [`${path} calls fetch`] : []),
        ];
      });
    expect(problems).toEqual([]);
  });

  it('opens sockets of the server only where the table says why', () => {
    const openers = listFiles(/^apps\/server\/src\/.*\.ts$/)
      .filter(({ path }) => !isTestCode(path) && !/\/bench\//.test(path))
      .filter(({ text }) => {
        const judged = text.replace(/import \{ (isIP(v4|v6)?(, )?)+ \} from 'node:net';/g, '');
        const imports = importsOf(judged).some((one) => !one.typeOnly && sockets.test(one.specifier));
        return imports || /(?<![.\w])fetch\s*\(|globalThis\.fetch/.test(withoutComments(text));
      })
      .map(({ path }) => path);
    expect(openers).toEqual(Object.keys(socketsOfTheServer).toSorted());
  });

  it('sizes text by what the reader set in the browser, but for graphs, which have a zoom of their own', () => {
    const fixed = /(font-?size|fz)\b['"]?\s*[:=]\s*[{'"]*\d+px/i;
    const sized = listFiles(/^apps\/dashboard\/src\/.*\.(css|tsx?)$/)
      .filter(({ path }) => !path.startsWith('apps/dashboard/src/components/flow/'))
      .filter(({ text }) => fixed.test(text));
    expect(sized.map(({ path }) => path)).toEqual([]);
    expect("fontSize: '13px'; font-size: 12px").toMatch(fixed);
  });

  it('names no folder of one machine', () => {
    const machinePath = /(?<![\w.:/])\/(home|Users|work|root)\/[a-z]/;
    const files = listFiles(/^(?!.*package-lock\.json$).*\.(ts|tsx|mjs|md|json|css|html)$/);
    const problems = files.filter(
      ({ path, text }) => machinePath.test(text) && path !== 'tools/checks/repository.test.ts',
    );
    expect(problems.map(({ path }) => path)).toEqual([]);
  });

  it('has no file that says nothing by its name', () => {
    const vague = /(^|\/)(utils?|helpers?|common|misc|types|constants|index)\.(ts|tsx|mjs)$/;
    const named = listFiles(/^(apps|packages|tools|e2e)\/.*\.(ts|tsx|mjs)$/).filter(({ path }) => vague.test(path));
    // File routes of the dashboard are named by the router.
    expect(named.map(({ path }) => path).filter((path) => !path.startsWith('apps/dashboard/src/routes/'))).toEqual([]);
  });

  it('carries a tracker id with every note of unfinished work', () => {
    const note = /\/\/\s*(TODO|FIXME|XXX)\b(?!.*#\d)/;
    const files = listFiles(/^(apps|packages|tools|e2e)\/.*\.(ts|tsx|mjs)$/).filter(({ text }) => note.test(text));
    expect(files.map(({ path }) => path)).toEqual([]);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}
