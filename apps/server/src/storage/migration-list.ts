import { engineMigrations, engineTables } from '@airdeck/engine/schema';
import { auditMigrations } from '../modules/audit/audit-migrations.ts';
import { casesMigrations } from '../modules/cases/cases-migrations.ts';
import { connectorsMigrations } from '../modules/connectors/connectors-migrations.ts';
import { detectionMigrations } from '../modules/detection/detection-migrations.ts';
import { identityMigrations } from '../modules/identity/identity-migrations.ts';
import { ingestionMigrations } from '../modules/ingestion/ingestion-migrations.ts';
import { meMigrations } from '../modules/me/me-migrations.ts';
import { playbooksMigrations } from '../modules/playbooks/playbooks-migrations.ts';
import { policiesMigrations } from '../modules/policies/policies-migrations.ts';
import { ruleResponsesMigrations } from '../modules/rule-responses/rule-responses-migrations.ts';
import { sourcesMigrations } from '../modules/sources/sources-migrations.ts';
import { tenantsMigrations } from '../modules/tenants/tenants-migrations.ts';
import { externalMigration, type Migration } from './migrations.ts';

/** In the order they run; every module adds one line. */
export const migrationList: readonly Migration[] = [
  ...tenantsMigrations,
  ...auditMigrations,
  ...identityMigrations,
  ...meMigrations,
  ...engineMigrations.map((migration) =>
    externalMigration({
      ...migration,
      tenantTables: engineTables.filter((name) => migration.sql.includes(`create table ${name} `)),
    }),
  ),
  ...playbooksMigrations,
  ...connectorsMigrations,
  ...policiesMigrations,
  ...ruleResponsesMigrations,
  ...casesMigrations,
  ...detectionMigrations,
  ...sourcesMigrations,
  ...ingestionMigrations,
];
