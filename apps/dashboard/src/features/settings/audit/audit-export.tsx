import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { type AuditFilter, type AuditFormat, downloadAudit } from '../../../queries/audit.ts';
import { fileMutation } from '../../../queries/file-mutation.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import classes from './audit.module.css';
import { sizeText } from './audit-words.ts';

type Props = { filter: AuditFilter; filtered: boolean };

/** The records of the filter as a file. */
export function AuditExport({ filter, filtered }: Props) {
  const tenantApi = useTenantApi();
  const [bytes, setBytes] = useState(0);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const save = useMutation({
    ...fileMutation((format: AuditFormat) => {
      running.current = new AbortController();
      setBytes(0);
      const { signal } = running.current;
      return downloadAudit(tenantApi, { filter, format, signal, onProgress: setBytes });
    }),
    meta: { failure: 'inline' },
  });
  const what = filtered ? t('the filtered records') : t('all records');
  const aborted = save.error !== null && 'category' in save.error && save.error.category === 'abort';
  return (
    <div className={classes.tool}>
      {(['csv', 'ndjson'] as const).map((format) => (
        <Button
          key={format}
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          aria-label={t('Export {what} as {format}', { what, format: format.toUpperCase() })}
          disabled={save.isPending}
          onClick={() => save.mutate(format)}
        >
          {format.toUpperCase()}
        </Button>
      ))}
      <div role="status" className={classes.said}>
        {save.isPending ? (
          <>
            {t('{sizeText} so far…', { sizeText: sizeText(bytes) })}
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => running.current?.abort()}>
              {t('Stop')}
            </Button>
          </>
        ) : null}
      </div>
      <ProblemNote error={aborted ? null : save.error} />
    </div>
  );
}
