import { Button, Loader } from '@mantine/core';
import { IconCircleCheck, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { verifyAudit } from '../../../queries/audit.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { useReader } from '../../../ui/reader.ts';
import classes from './audit.module.css';
import { verdictText } from './audit-words.ts';

/** Has the server walk the chain of records, and says what it found. */
export function AuditVerify() {
  const tenantApi = useTenantApi();
  const reader = useReader();
  const running = useRef<AbortController>(undefined);
  // A walk nobody waits for any more would only keep the server busy.
  useEffect(() => () => running.current?.abort(), []);
  const verify = useMutation({
    mutationFn: () => {
      running.current = new AbortController();
      return verifyAudit(tenantApi, running.current.signal);
    },
    meta: { failure: 'inline' },
  });
  const verdict = verify.data;
  return (
    <div className={classes.tool}>
      <Button
        variant="default"
        leftSection={<IconShieldCheck size={16} aria-hidden />}
        disabled={verify.isPending}
        onClick={() => verify.mutate()}
      >
        {t('Verify records')}
      </Button>
      <div role="status" className={classes.said}>
        {verify.isPending ? (
          <>
            <Loader size={14} aria-hidden /> {t('Reading every record and its hash…')}
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => running.current?.abort()}>
              {t('Stop')}
            </Button>
          </>
        ) : null}
        {verdict !== undefined && !verify.isPending ? (
          <span className={classes.verdict} data-good={verdict.intact || undefined}>
            {verdict.intact ? <IconCircleCheck size={14} aria-hidden /> : <IconShieldX size={14} aria-hidden />}
            {verdictText(verdict, reader)}
          </span>
        ) : null}
      </div>
      <ProblemNote error={isAbort(verify.error) ? null : verify.error} />
    </div>
  );
}

function isAbort(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'category' in error && error.category === 'abort';
}
