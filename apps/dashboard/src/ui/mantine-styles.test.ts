import { expect, test } from 'vitest';
import list from './mantine-styles.ts?raw';

const sources = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
const available = Object.keys(import.meta.glob('../../../../node_modules/@mantine/core/styles/*.css'));
const listed = new Set([...list.matchAll(/@mantine\/core\/styles\/(\w+)\.css/g)].map(([, name]) => name));

function usedComponents(): Set<string> {
  const used = new Set<string>();
  for (const text of Object.values(sources)) {
    for (const [, names = ''] of text.matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)) {
      for (const name of names.split(',')) used.add(name.trim());
    }
  }
  return used;
}

test('every Mantine component in use has its styles listed', () => {
  const hasStyles = (name: string) => available.some((path) => path.endsWith(`/${name}.css`));
  expect(available.length).toBeGreaterThan(50);
  expect([...usedComponents()].filter((name) => hasStyles(name) && !listed.has(name))).toEqual([]);
});
