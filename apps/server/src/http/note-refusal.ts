import type { FastifyRequest } from 'fastify';
import type { Granted } from './authorization.ts';
import type { NoteRefusal } from './error-answers.ts';
import { kindOfRefusal, refusalKinds } from './refusal-kinds.ts';
import type { RefusalLog } from './refusal-log.ts';

type Dependencies = {
  refusals: Pick<RefusalLog, 'note' | 'noteStranger'>;
  granted: WeakMap<FastifyRequest, Granted>;
};

/** Who an attempt belongs to: the tenant of the path, else the caller's own; nobody's where there is no caller. */
export function createNoteRefusal({ refusals, granted }: Dependencies): NoteRefusal {
  return (error, request) => {
    const kind = kindOfRefusal(error);
    if (kind === undefined) return undefined;
    const { code } = error;
    const { url, config } = request.routeOptions;
    const { caller, scope } = granted.get(request) ?? {};
    const { routeId } = config as { routeId?: string };
    if (caller !== undefined && routeId !== undefined) {
      const tenant = scope?.tenantId ?? caller.homeTenant;
      return refusals.note({ tenant, caller, routeId, code, requestId: request.id });
    }
    if (refusalKinds[kind].strangers) {
      refusals.noteStranger({ kind, code, route: url, clientAddress: request.ip, requestId: request.id });
    }
    return undefined;
  };
}
