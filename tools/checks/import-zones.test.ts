import { describe, expect, it } from 'vitest';
import { crossImports, dashboardZones, serverZones, upwardImports, withoutLayer } from './import-zones.ts';
import { importsOf, targetOf } from './imports.ts';
import { listFiles } from './source-files.ts';
import { isTestCode } from './test-code.ts';

const dashboard = listFiles(/^apps\/dashboard\/src\/.*\.tsx?$/);
const server = listFiles(/^apps\/server\/src\/.*\.ts$/);

describe('import zones', () => {
  it('finds an import that goes up and one between two features', () => {
    const files = [
      { path: 'apps/dashboard/src/ui/button.tsx', text: "import { caseQueries } from '../queries/cases.ts';" },
      { path: 'apps/dashboard/src/features/air/case-page.tsx', text: "import { x } from '../home/home-page.tsx';" },
    ];
    expect(upwardImports(dashboardZones, files)).toHaveLength(1);
    expect(withoutLayer(dashboardZones, [...files, { path: 'apps/dashboard/src/loose.ts', text: '' }])).toEqual([
      'loose.ts',
    ]);
    expect(crossImports('apps/dashboard/src/features/', files, () => false)).toHaveLength(1);
  });

  it('lets each layer of the dashboard import only itself and what is below', () => {
    expect(upwardImports(dashboardZones, dashboard)).toEqual([]);
    expect(withoutLayer(dashboardZones, dashboard)).toEqual([]);
  });

  it('keeps features of the dashboard apart, and apart from the shell', () => {
    expect(crossImports('apps/dashboard/src/features/', dashboard, () => false)).toEqual([]);
    const intoShell = dashboard
      .filter(({ path }) => path.startsWith('apps/dashboard/src/features/') && !isTestCode(path))
      .filter((file) => importsOf(file.text).some((one) => targetOf(file, one.specifier)?.includes('/src/shell/')));
    expect(intoShell.map(({ path }) => path)).toEqual([]);
  });

  it('lets each layer of the server import only itself and what is below', () => {
    expect(upwardImports(serverZones, server)).toEqual([]);
    expect(withoutLayer(serverZones, server)).toEqual([]);
  });

  it("keeps modules of the server out of each other's services, repositories and tables", () => {
    // Ports, module types and facts are what a module shows. Of a service others may name the type, to narrow it; it is
    // handed to them. Storage joins all tables and migrations in one place.
    const inside = /-(repository|routes|jobs|tables|migrations)\.ts$/;
    const handedOver = /-service\.ts$/;
    const isOpen = ({ to, typeOnly }: { to: string; typeOnly: boolean }) =>
      !inside.test(to) && (typeOnly || !handedOver.test(to));
    expect(crossImports('apps/server/src/modules/', server, isOpen)).toEqual([]);
  });
});
