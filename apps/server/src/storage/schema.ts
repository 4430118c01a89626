import type { Transaction } from 'kysely';
import type { AuditTables } from '../modules/audit/audit-tables.ts';
import type { CasesTables } from '../modules/cases/cases-tables.ts';
import type { ConnectorsTables } from '../modules/connectors/connectors-tables.ts';
import type { DetectionTables } from '../modules/detection/detection-tables.ts';
import type { IngestionTables } from '../modules/ingestion/ingestion-tables.ts';
import type { MeTables } from '../modules/me/me-tables.ts';
import type { PlaybooksTables } from '../modules/playbooks/playbooks-tables.ts';
import type { PoliciesTables } from '../modules/policies/policies-tables.ts';
import type { RuleResponsesTables } from '../modules/rule-responses/rule-responses-tables.ts';
import type { SourcesTables } from '../modules/sources/sources-tables.ts';
import type { TenantsTables } from '../modules/tenants/tenants-tables.ts';

/** Every module adds its tables here, one line each. */
export type Tables = TenantsTables &
  MeTables &
  AuditTables &
  PlaybooksTables &
  ConnectorsTables &
  RuleResponsesTables &
  PoliciesTables &
  CasesTables &
  DetectionTables &
  SourcesTables &
  IngestionTables;

export type Tx = Transaction<Tables>;
