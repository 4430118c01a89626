import type { Caller, TenantContext } from '../../http/handlers.ts';
import type { AuditActor } from './audit-log.ts';

/** A caller as the audit log names it: the key where one was used, always with the name of its owner. */
export function auditActor(caller: Caller): AuditActor {
  return caller.apiKey === undefined
    ? { kind: 'user', id: caller.userId, name: caller.username }
    : { kind: 'api_key', id: caller.apiKey.id, name: caller.username };
}

/** Who changes something, and in which request, as services write it down. */
export function changedBy({ caller, requestId }: Pick<TenantContext, 'caller' | 'requestId'>) {
  return { actor: auditActor(caller), requestId };
}

/** Whether the person did it by hand, and so knows of it. What a program does with their key may be news to them. */
export function isDoneBy({ kind, name }: AuditActor, username: string): boolean {
  return kind === 'user' && name === username;
}
