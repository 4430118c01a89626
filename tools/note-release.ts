/** Writes the migrations, the answers and what requests take of this tree as those of the release before; run when a release was made of it. */
import { writeFileSync } from 'node:fs';
import { factsOfAnswers, factsOfRequests } from '../apps/server/src/http/route-facts.ts';
import { migrationList } from '../apps/server/src/storage/migration-list.ts';
import { migrationChecksum } from '../apps/server/src/storage/migrations.ts';
import { inRoot } from './run/root.mjs';

const checksums = Object.fromEntries(migrationList.map((migration) => [migration.id, migrationChecksum(migration)]));
write('apps/server/src/storage/released-migrations.json', checksums);
write('apps/server/src/http/released-answers.json', factsOfAnswers());
write('apps/server/src/http/released-requests.json', factsOfRequests());

function write(path: string, value: unknown): void {
  writeFileSync(inRoot(path), `${JSON.stringify(value, null, 2)}\n`);
}
