import type { RunTracing } from '@airdeck/engine/interfaces';
import type { Tracer } from '../../tracing/tracer.ts';
import { isAutomated, readTrigger } from './run-trigger.ts';

/**
 * Attempts of a run hang below the request that asked for it, in whichever process they happen. A run that nobody asked for
 * begins a trace of its own: what let it start, such as a delivery of events, may have let a hundred others start too.
 */
export function createRunTracing(tracer: Tracer): RunTracing | undefined {
  if (!tracer.isOn) return undefined;

  function beginTrace(tenantId: string, kind: string): string {
    const attributes = { 'airdeck.tenant_id': tenantId, 'airdeck.run_kind': kind };
    const span = tracer.begin({ name: 'run.start', parent: 'none', attributes });
    span.end();
    return span.traceparent;
  }

  return {
    contextOf({ tenantId, kind, trigger }) {
      const asking = isAutomated(readTrigger(trigger)) ? undefined : tracer.current();
      return asking?.traceparent ?? beginTrace(tenantId, kind);
    },

    async attempt({ context, step }, work) {
      const span = tracer.begin({
        name: `step ${step.name}`,
        // A run of before traces were on has none.
        parent: context === null ? 'none' : { kept: context },
        attributes: {
          'airdeck.tenant_id': step.tenantId,
          'airdeck.run_id': step.runId,
          'airdeck.step_id': step.stepId,
          'airdeck.action': step.name,
          'airdeck.attempt': step.attempt,
        },
      });
      try {
        const result = await span.within(work);
        // The code only: its message may hold what the vendor said.
        span.note({ 'airdeck.outcome': result.type, 'error.type': result.error?.code });
        if (result.type !== 'succeeded') span.fail();
        return result;
      } finally {
        span.end();
      }
    },
  };
}
