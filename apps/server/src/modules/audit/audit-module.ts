import type { AuditLog } from './audit-log.ts';
import { createAuditService } from './audit-service.ts';

export type AuditModule = { audit: AuditLog };

export function createAuditModule(deps: { now: () => Date }): AuditModule {
  return { audit: createAuditService(deps) };
}
