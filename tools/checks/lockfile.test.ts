import { describe, expect, it } from 'vitest';
import { readJson } from './source-files.ts';

type Locked = { optionalDependencies?: Record<string, string>; dependencies?: Record<string, string> };
const { packages } = readJson('package-lock.json') as { packages: Record<string, Locked> };

describe('the lockfile', () => {
  it('names the packages of every platform, or npm ci refuses it (node tools/complete-lockfile.mjs adds them)', () => {
    const missing = Object.entries(packages).flatMap(([owner, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) =>
          !Object.hasOwn(packages, `node_modules/${name}`) && !Object.hasOwn(packages, `${owner}/node_modules/${name}`),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('says the same as every package.json', () => {
    const workspaces = Object.keys(packages).filter((path) => path !== '' && !path.includes('node_modules'));
    const differing = ['', ...workspaces].filter((path) => {
      const manifest = readJson(`${path === '' ? '' : `${path}/`}package.json`) as Record<string, unknown>;
      const locked = packages[path] as Record<string, unknown>;
      return ['dependencies', 'devDependencies'].some((kind) => !isSame(manifest[kind], locked[kind]));
    });
    expect(differing).toEqual([]);
  });
});

function isSame(one: unknown = {}, other: unknown = {}): boolean {
  const ordered = (value: unknown) => JSON.stringify(Object.entries(value as object).sort());
  return ordered(one) === ordered(other);
}
