import type { SigmaFile } from '@airdeck/domain/sigma-documents';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { wasCancelled } from '../../../components/confirmation/cancelled.ts';
import { refreshPolicies } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { type Going, type ImportChoices, isThrough, runImport, startOf } from './import-run.ts';
import { planImport } from './outcomes.ts';
import type { LeftOut } from './read-files.ts';

type Chosen = { files: readonly SigmaFile[]; leftOut: readonly LeftOut[]; choices: ImportChoices };

/**
 * The import of a dialog. `check` and `start` begin anew, `goOn` sends what is left after a stop or a failure; `forget` is
 * for when something else is chosen. Left, nothing more is sent.
 */
export function useImport({ files, leftOut, choices }: Chosen) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const [going, setGoing] = useState<Going>();
  const [isStopping, setStopping] = useState(false);
  const [intent, setIntent] = useState(() => crypto.randomUUID());
  const stopped = useRef(false);
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);

  const run = useMutation({
    meta: { failure: 'inline' },
    mutationFn: async ({ dryRun, goesOn }: { dryRun: boolean; goesOn: boolean }) => {
      leaving.current = new AbortController();
      const { signal } = leaving.current;
      stopped.current = false;
      setStopping(false);
      const plan = going?.plan ?? (await planImport({ files, leftOut }, signal));
      const from = goesOn && going !== undefined ? going : startOf(plan, dryRun ? undefined : going);
      setGoing(from);
      const isStopped = () => stopped.current;
      const onProgress = (next: Going) => {
        // What came of files that are no longer chosen is not shown beside others.
        if (!signal.aborted) setGoing(next);
      };
      await runImport(tenantApi, { from, choices, intent, signal, isStopped, onProgress });
    },
    // Also after a failure: the portions before it are stored.
    onSettled: (_, __, { dryRun }) => {
      if (!dryRun) refreshPolicies(queryClient, tenantApi.tenantId);
    },
  });
  return {
    going,
    isRunning: run.isPending,
    /** Everything was sent and answered. */
    isThrough: going !== undefined && !run.isPending && isThrough(going),
    /** Stopped, failed, or a question on the way was left. */
    isHalfWay: going !== undefined && !run.isPending && !isThrough(going),
    isStopping,
    error: wasCancelled(run.error) ? null : run.error,
    check: () => run.mutate({ dryRun: true, goesOn: false }),
    start: () => run.mutate({ dryRun: false, goesOn: false }),
    goOn: () => run.mutate({ dryRun: going?.dryRun ?? true, goesOn: true }),
    stop: () => {
      stopped.current = true;
      setStopping(true);
    },
    forget: () => {
      leaving.current?.abort();
      run.reset();
      setGoing(undefined);
      setIntent(crypto.randomUUID());
    },
  };
}
