import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { routeTable } from '@airdeck/contracts/route-table';

/**
 * Writes the schema-free index of the route table that clients load: method, path and whether there is an answer, without
 * the schema library, which would otherwise be most of the sign-in page's script. With `--check` it only compares.
 */
const target = fileURLToPath(new URL('../packages/contracts/src/route-index.gen.ts', import.meta.url));

const rows = Object.entries(routeTable).map(([id, route]) => {
  const empty = route.response === 'empty' ? ', empty: true' : '';
  return `  '${id}': { method: '${route.method}', path: '${route.path}'${empty} },`;
});
const text = `// Made from the route table by \`npm run generate\`; never edited.
export const routeIndex = {
${rows.join('\n')}
} as const;
`;

if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
} else if (readFileSync(target, 'utf8') !== text) {
  console.error('packages/contracts/src/route-index.gen.ts is not what the route table says. Run `npm run generate`.');
  process.exitCode = 1;
}
