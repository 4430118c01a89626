import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConnectorRegistry } from '@airdeck/connectors/registry';
import { integrationIndex, integrationPage } from './integration-pages.ts';

/** Writes a page for every visible connector into `docs/integrations`. With `--check` it only compares. */
const folder = fileURLToPath(new URL('../docs/integrations/', import.meta.url));

const definitions = createConnectorRegistry()
  .list()
  .filter((definition) => definition.visible);
const pages = new Map<string, string>([
  ['README.md', integrationIndex(definitions)],
  ...definitions.map((definition): [string, string] => [`${definition.definition_id}.md`, integrationPage(definition)]),
]);

mkdirSync(folder, { recursive: true });
const present = readdirSync(folder);
const left = present.filter((name) => !pages.has(name));
const changed = [...pages].filter(
  ([name, text]) => !present.includes(name) || readFileSync(`${folder}${name}`, 'utf8') !== text,
);

if (!process.argv.includes('--check')) {
  for (const name of left) rmSync(`${folder}${name}`);
  for (const [name, text] of changed) writeFileSync(`${folder}${name}`, text);
} else if (left.length + changed.length > 0) {
  const names = [...left, ...changed.map(([name]) => name)];
  console.error(`docs/integrations is not what the definitions say (${names.join(', ')}). Run \`npm run generate\`.`);
  process.exitCode = 1;
}
