import { importsOf, isTest, targetOf } from './imports.ts';
import type { SourceFile } from './source-files.ts';

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
    ['main.tsx'],
  ],
};

export const serverZones: Zones = {
  folder: 'apps/server/src/',
  layers: [
    ['config', 'tenant-scope.ts', 'events-process'],
    ['tracing'],
    ['storage', 'http', 'modules', 'pdf'],
    ['app.ts'],
    ['compose.ts'],
    ['entry'],
  ],
};

/** Imports that go up. Tests may import anything: they compose what they test. */
export function upwardImports(zones: Zones, files: readonly SourceFile[]): string[] {
  const rank = (path: string) => {
    const [name = ''] = path.slice(zones.folder.length).split('/');
    return zones.layers.findIndex((layer) => layer.includes(name));
  };
  return relativeImports(zones, files).flatMap(({ from, to }) => {
    const [own, other] = [rank(from), rank(to)];
    if (own === -1 || other === -1 || other <= own) return [];
    return [`${from} imports ${to}, which stands above it`];
  });
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
    .filter(({ path }) => path.startsWith(folder) && !isTest(path))
    .flatMap((file) =>
      importsOf(file.text).flatMap(({ specifier, typeOnly }) => {
        const to = targetOf(file, specifier);
        return to?.startsWith(folder) ? [{ from: file.path, to, typeOnly }] : [];
      }),
    );
}
