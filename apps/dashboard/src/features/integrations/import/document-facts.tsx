import type { OpenapiDocument } from '@airdeck/contracts/openapi/schema';
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from '../../../language/translate.ts';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { Panel } from '../../../ui/panel.tsx';
import classes from './import.module.css';

/** Addresses shown; a document may name dozens. */
const SERVERS_SHOWN = 5;

type Props = { of: OpenapiDocument; onAnother: () => void };

/** What the description says about itself, and what to look at before it is imported. */
export function DocumentFacts({ of, onAnother }: Props) {
  const { title, description, api_version, servers, credentials, warnings, operations } = of;
  const unsupported = operations.filter((operation) => operation.unsupported !== null).length;
  return (
    <Panel
      title={title === '' ? t('The description') : title}
      aside={
        <Button variant="subtle" size="compact-sm" onClick={onAnother}>
          {t('Choose another##description')}
        </Button>
      }
    >
      <div className={classes.form}>
        {description === '' ? null : <p className={classes.about}>{description}</p>}
        <KeyFacts
          facts={[
            { label: t('Version'), value: api_version },
            { label: t('Operations'), value: countText(operations.length, unsupported) },
            { label: t('Servers'), value: <Servers of={servers} /> },
            { label: t('Signs in by'), value: credentials.join(', ') },
          ]}
        />
        {warnings.length === 0 ? null : (
          <ul className={classes.warnings} aria-label={t('Look at this first')}>
            {warnings.map((warning) => (
              <li key={warning}>
                <IconAlertTriangle size={16} aria-hidden />
                {warning}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}

function Servers({ of: servers }: { of: readonly string[] }) {
  if (servers.length === 0) return '–';
  const more = servers.length - SERVERS_SHOWN;
  return (
    <span className={classes.servers}>
      {servers.slice(0, SERVERS_SHOWN).map((server, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a document may name one twice
        <span key={index} className="air-mono">
          {server}
        </span>
      ))}
      {more > 0 ? <span>{t('and {more} more', { more })}</span> : null}
    </span>
  );
}

function countText(all: number, unsupported: number): string {
  return unsupported === 0 ? String(all) : t('{all}, {unsupported} of which cannot be imported', { all, unsupported });
}
