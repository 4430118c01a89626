/** Writes the migrations of this tree as those of the release before; run when a release was made of it. */
import { writeFileSync } from 'node:fs';
import { migrationList } from '../apps/server/src/storage/migration-list.ts';
import { migrationChecksum } from '../apps/server/src/storage/migrations.ts';
import { inRoot } from './run/root.mjs';

const checksums = Object.fromEntries(migrationList.map((migration) => [migration.id, migrationChecksum(migration)]));
writeFileSync(inRoot('apps/server/src/storage/released-migrations.json'), `${JSON.stringify(checksums, null, 2)}\n`);
