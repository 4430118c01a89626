import { describe, expect, it } from 'vitest';
import { listFiles } from './source-files.ts';
import { isTestCode, testCodeInProduct, usedByTestsOnly, wayOut } from './test-code.ts';

const files = listFiles(/^(?:apps|packages|tools|e2e)\/.*\.(?:tsx?|mjs)$/);

/** Product all the same. */
const readElsewhere: Readonly<Record<string, string>> = {
  'apps/dashboard/src/language-check/early-files.ts': 'judges the built catalogues',
};

describe('test code', () => {
  it('is known by its name', () => {
    const tests = [
      ...['case.test.ts', 'case-page.test.tsx', 'case.test-d.ts', 'test-server.ts', 'test-app.tsx', 'fixtures.ts'],
      ...['case-fixture.ts', 'case-fixtures.tsx', 'url-payloads.ts', 's3-stand-in.ts', 'testing/kill-rounds.ts'],
    ];
    const product = ['case.ts', 'tested.ts', 'fixture-of-lamps.ts', 'latest-run.ts', 'testing.ts', 'own-test.ts'];
    expect(tests.filter((name) => !isTestCode(`apps/x/src/${name}`))).toEqual([]);
    expect(product.filter((name) => isTestCode(`apps/x/src/${name}`))).toEqual([]);
  });

  it('is found where the product imports it, and where only tests and benches use what is not named so', () => {
    const made = [
      { path: 'apps/x/src/a.test.ts', text: "import './oracle.ts';\nimport '@airdeck/p/shared';\nimport './a.ts';" },
      { path: 'apps/x/src/oracle.ts', text: "import './words.ts';" },
      { path: 'apps/x/src/words.ts', text: '' },
      { path: 'apps/x/src/a.ts', text: "import './a-fixture.ts';" },
      { path: 'apps/x/src/main.ts', text: "import './a.ts';" },
      { path: 'packages/p/bench/p-bench.ts', text: "import '../src/shared.ts';" },
      { path: 'packages/p/src/shared.ts', text: '' },
    ];
    expect(testCodeInProduct(made)).toEqual(['apps/x/src/a.ts imports apps/x/src/a-fixture.ts']);
    expect(usedByTestsOnly(made).toSorted()).toEqual([
      'apps/x/src/oracle.ts',
      'apps/x/src/words.ts',
      'packages/p/src/shared.ts',
    ]);
  });

  it('is named so, that no check takes it for the product', () => {
    const found = usedByTestsOnly(files);
    const unnamed = found.filter((path) => !Object.hasOwn(readElsewhere, path));
    expect(unnamed.map((path) => `${path} ${wayOut}`)).toEqual([]);
    expect(Object.keys(readElsewhere).filter((path) => !found.includes(path))).toEqual([]);
  });

  it('is not needed by the product, which would pass under its name by every check', () => {
    expect(testCodeInProduct(files)).toEqual([]);
  });
});
