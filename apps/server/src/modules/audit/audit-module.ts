import type { AuditLog } from './audit-log.ts';
import { type AuditHandlers, type AuditRoutesDependencies, createAuditRoutes } from './audit-routes.ts';
import { createAuditService } from './audit-service.ts';

export type AuditModule = { audit: AuditLog; handlers: AuditHandlers };

export function createAuditModule(deps: Omit<AuditRoutesDependencies, 'audit'>): AuditModule {
  const audit = createAuditService(deps);
  return { audit, handlers: createAuditRoutes({ ...deps, audit }) };
}
