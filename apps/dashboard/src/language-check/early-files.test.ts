import { expect, test } from 'vitest';
import { earlyFiles } from './early-files.ts';

const early = (sources: Record<string, string>) =>
  [...earlyFiles(new Map(Object.entries({ 'a.ts': '', 'b.ts': '', ...sources }))).keys()].filter((path) =>
    /^[ab]\.ts$/.test(path),
  );
const ofRoute = (source: string) => early({ 'routes/here.tsx': source });
const imports = "import { a } from '../a.ts'; import { b } from '../b.ts';";

test.each([
  ['what it imports', "import { a } from './a.ts';", ['a.ts']],
  ['what it imports for its effect', "import './a.ts';", ['a.ts']],
  ['what it passes on', "export { a } from './a.ts';", ['a.ts']],
  ['not what is loaded when asked for', "const later = () => import('./a.ts');", []],
  ['no types', "import type { A } from './a.ts'; export type { B } from './b.ts';", []],
])('the first file brings %s', (_, source, expected) => {
  expect(early({ 'main.tsx': source })).toEqual(expected);
});

test('files are followed as far as they lead, round a circle too, and the way is told', () => {
  const sources = { 'main.tsx': "import './a.ts';", 'a.ts': "import './b.ts';", 'b.ts': "import './a.ts';" };
  expect(earlyFiles(new Map(Object.entries(sources))).get('b.ts')).toEqual(['main.tsx', 'a.ts', 'b.ts']);
});

test('what the build puts into the first chunk is early although nothing early imports it', () => {
  expect(early({ 'features/some/some-search.ts': "import { a } from '../../a.ts';" })).toEqual(['a.ts']);
});

test.each([
  ['the component and the loader are split off', '{ component: a, loader: () => b() }', []],
  ['the component is written there', '{ component: () => <a.Page>{b}</a.Page> }', []],
  ['a guard stays', '{ beforeLoad: a(), component: b }', ['a.ts']],
  ['one import serves both', '{ validateSearch: a, loader: () => a(b) }', ['a.ts']],
  ['a method is not split off', '{ loader() { return a(); }, pendingComponent: b }', ['a.ts']],
])('of a route: %s', (_, options, expected) => {
  expect(ofRoute(`${imports} export const Route = createFileRoute('/here')(${options});`)).toEqual(expected);
});

test('declarations of a route file go where they are named', () => {
  const route = (options: string) =>
    `${imports} export const Route = createFileRoute('/here')(${options}); const later = a(); function Screen() { return <p>{later}{b}</p>; }`;
  expect(ofRoute(route('{ component: Screen }'))).toEqual([]);
  expect(ofRoute(route('{ component: Screen, beforeLoad: () => later }'))).toEqual(['a.ts']);
});

test('what a route file exports or does stays in it, whoever else names it', () => {
  const route = "export const Route = createFileRoute('/here')({ component: Screen });";
  expect(ofRoute(`${imports} ${route} export function Screen() { return <p>{a}</p>; }`)).toEqual(['a.ts']);
  expect(ofRoute(`${imports} ${route} function Screen() { return <p>{a}</p>; } a();`)).toEqual(['a.ts']);
});

test('of the root route nothing is split off', () => {
  expect(ofRoute(`${imports} export const Route = createRootRouteWithContext()({ component: a });`)).toEqual(['a.ts']);
});
