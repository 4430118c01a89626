import type { CaseDetail, CaseEntity, CaseEntityKind } from '@airdeck/contracts/cases/schema';
import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconFingerprint, IconNetwork, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { kindsOfValue } from '../../../components/value-actions/value-kind.ts';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { useAccess } from '../../../session/access.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import classes from './case.module.css';
import { eventsWith, reputationOf, timeOf } from './entity-pivots.ts';
import { RunLink } from './run-link.tsx';

const RunActionDialog = lazy(() =>
  import('../../../components/value-actions/run-action-dialog.tsx').then((module) => ({
    default: module.RunActionDialog,
  })),
);

/** `field` is what events call it, which is what actions are found by. */
const looks: Readonly<Record<CaseEntityKind, { word: string; icon: typeof IconUser; field: string }>> = {
  user: { word: t('User'), icon: IconUser, field: 'user' },
  host: { word: t('Host'), icon: IconDeviceDesktop, field: 'host' },
  address: { word: t('Address'), icon: IconNetwork, field: 'ip' },
  hash: { word: t('Hash'), icon: IconFingerprint, field: 'hash' },
};

/** Those the policy grouped by come first; a spray over hundreds of users must not bury what else there is. */
const SHOWN_FIRST = 8;

/** Who and what the case is about, with what was found out about it and the ways on. */
export function CaseEntities({ of }: { of: CaseDetail }) {
  const [whole, setWhole] = useState(false);
  if (of.entities.length === 0) return null;
  const shown = whole ? of.entities : of.entities.slice(0, SHOWN_FIRST);
  const more = of.entities.length - shown.length;
  return (
    <Panel title={t('Entities ({count})', { count: of.entities.length })} flush>
      <ul className={classes.rows}>
        {shown.map((entity) => (
          <Entity key={`${entity.kind}/${entity.value}`} of={of} entity={entity} />
        ))}
      </ul>
      {more === 0 ? null : (
        <Button variant="subtle" className={classes.moreEntities ?? ''} onClick={() => setWhole(true)}>
          {t('Show {value} more', { value: more })}
        </Button>
      )}
    </Panel>
  );
}

function Entity({ of, entity }: { of: CaseDetail; entity: CaseEntity }) {
  const search = useAccess('search');
  const [acting, setActing] = useState(false);
  const { word, icon: Icon, field } = looks[entity.kind];
  const canAct = useAccess('actions').allowed && kindsOfValue(field, entity.value).length > 0;
  const found = reputationOf(entity, of.activity);
  return (
    <li className={classes.entity}>
      <Icon size={16} aria-label={word} />
      <span className={`${classes.entityValue} air-mono`} title={entity.value}>
        {entity.value}
      </span>
      <CopyButton value={entity.value} label={t('Copy {value}', { value: entity.value })} />
      <div className={classes.entityFacts}>
        {entity.events === 0 ? t('named by the policy') : plural(entity.events, '{count} event', '{count} events')}
        <Link to="/air/case-management" search={{ q: entity.value, filters: { status: ['open', 'acknowledged'] } }}>
          {t('Open cases##state')}
        </Link>
        {search.allowed ? (
          <Link to="/search" search={{ query: eventsWith(entity), timeRange: timeOf(of) }}>
            {t('Events')}
          </Link>
        ) : null}
        {canAct ? (
          <button
            type="button"
            className={classes.pivot}
            aria-haspopup="dialog"
            aria-label={t('Run action on {value}', { value: entity.value })}
            onClick={() => setActing(true)}
          >
            {t('Run action…')}
          </button>
        ) : null}
      </div>
      {found.map(({ runId, text }) => (
        <div key={`${runId}/${text}`} className={classes.entityFacts}>
          {runId === undefined ? (
            text
          ) : (
            <RunLink of={of} runId={runId}>
              {text}
            </RunLink>
          )}
        </div>
      ))}
      {acting ? (
        <Suspense fallback={null}>
          <RunActionDialog field={field} value={entity.value} caseId={of.id} onClose={() => setActing(false)} />
        </Suspense>
      ) : null}
    </li>
  );
}
