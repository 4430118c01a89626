import { importsOf, targetOf } from './imports.ts';
import type { SourceFile } from './source-files.ts';
import { isTestCode } from './test-code.ts';

/** Layers from low to high: a file may import its own layer and lower ones. */
export type Zones = { readonly folder: string; readonly layers: readonly (readonly string[])[] };

export const dashboardZones: Zones = {
  folder: 'apps/dashboard/src/',
  layers: [
    ['language'],
    ['lib', 'ui'],
    ['queries', 'session', 'telemetry'],
    ['components'],
    ['features', 'shell'],
    ['routes', 'routeTree.gen.ts'],
    ['router.ts', 'router.tsx'],
    ['start.ts'],
    ['main.tsx', 'language-check'],
  ],
};

export const serverZones: Zones = {
  folder: 'apps/server/src/',
  layers: [
    [
      ...['config', 'tenant-scope.ts', 'events-process', 'unique-ids.ts', 'later-than.ts', 'still-ahead.ts'],
      ...[
        'give-way.ts',
        'loop-share.ts',
        'each-in-turn.ts',
        'in-batches.ts',
        'share-time.ts',
        'tenant-slots.ts',
        'event-weight.ts',
        'worker-loop.ts',
      ],
      ...['clocked-job.ts', 'built-program.ts', 'thread-start.ts', 'bounded-thread.ts'],
    ],
    ['tracing'],
    ['storage', 'http', 'modules', 'pdf', 'asked-together.ts', 'thread-calls.ts'],
    ['app.ts'],
    ['compose-event-work.ts', 'compose-connectors.ts', 'compose-reports.ts'],
    ['compose-work.ts', 'compose-identity.ts'],
    ['compose-people.ts'],
    ['compose.ts'],
    ['entry'],
  ],
};

/** What stands in the folder and in no layer: its imports would not be looked at. */
export function withoutLayer(zones: Zones, files: readonly SourceFile[]): string[] {
  const known = new Set(zones.layers.flat());
  const product = files.filter(
    ({ path }) => path.startsWith(zones.folder) && !isTestCode(path) && !path.endsWith('.d.ts'),
  );
  return [...new Set(product.map(({ path }) => childOf(zones, path)))].filter((name) => !known.has(name));
}

/** Imports that go up. Tests may import anything: they compose what they test. */
export function upwardImports(zones: Zones, files: readonly SourceFile[]): string[] {
  const rank = (path: string) => zones.layers.findIndex((layer) => layer.includes(childOf(zones, path)));
  return relativeImports(zones, files).flatMap(({ from, to }) => {
    const [own, other] = [rank(from), rank(to)];
    if (own === -1 || other === -1 || other <= own) return [];
    return [`${from} imports ${to}, which stands above it`];
  });
}

function childOf({ folder }: Zones, path: string): string {
  return path.slice(folder.length).split('/')[0] ?? '';
}

type Edge = { readonly from: string; readonly to: string; readonly typeOnly: boolean };

/** Imports from one child of `folder` into another (feature to feature), except those `isOpen` allows. */
export function crossImports(folder: string, files: readonly SourceFile[], isOpen: (edge: Edge) => boolean): string[] {
  const child = (path: string) => (path.startsWith(folder) ? path.slice(folder.length).split('/')[0] : undefined);
  return relativeImports({ folder }, files).flatMap((edge) => {
    const [own, other] = [child(edge.from), child(edge.to)];
    if (own === undefined || other === undefined || own === other || isOpen(edge)) return [];
    return [`${edge.from} imports ${edge.to}`];
  });
}

function relativeImports({ folder }: Pick<Zones, 'folder'>, files: readonly SourceFile[]): Edge[] {
  return files
    .filter(({ path }) => path.startsWith(folder) && !isTestCode(path))
    .flatMap((file) =>
      importsOf(file.text).flatMap(({ specifier, typeOnly }) => {
        const to = targetOf(file, specifier);
        return to?.startsWith(folder) ? [{ from: file.path, to, typeOnly }] : [];
      }),
    );
}
