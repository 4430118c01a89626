import type { CaseDetail, CaseEntity, CaseEntityKind } from '@airdeck/contracts/cases/schema';
import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconFingerprint, IconNetwork, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccess } from '../../../session/access.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import classes from './case.module.css';
import { eventsWith, reputationOf } from './entity-pivots.ts';
import { RunLink } from './run-link.tsx';

const looks: Readonly<Record<CaseEntityKind, { word: string; icon: typeof IconUser }>> = {
  user: { word: 'User', icon: IconUser },
  host: { word: 'Host', icon: IconDeviceDesktop },
  address: { word: 'Address', icon: IconNetwork },
  hash: { word: 'Hash', icon: IconFingerprint },
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
    <Panel title={`Entities (${of.entities.length})`} flush>
      <ul className={classes.rows}>
        {shown.map((entity) => (
          <Entity key={`${entity.kind}/${entity.value}`} of={of} entity={entity} />
        ))}
      </ul>
      {more === 0 ? null : (
        <Button variant="subtle" className={classes.moreEntities ?? ''} onClick={() => setWhole(true)}>
          Show {more} more
        </Button>
      )}
    </Panel>
  );
}

function Entity({ of, entity }: { of: CaseDetail; entity: CaseEntity }) {
  const search = useAccess('search');
  const { word, icon: Icon } = looks[entity.kind];
  const found = reputationOf(entity, of.activity);
  return (
    <li className={classes.entity}>
      <Icon size={16} aria-label={word} />
      <div className={classes.rowName}>
        <span className={`${classes.entityValue} air-mono`} title={entity.value}>
          {entity.value}
        </span>
        <div className={classes.entityFacts}>
          {entity.events === 0 ? 'named by the policy' : entity.events === 1 ? '1 event' : `${entity.events} events`}
          <Link to="/air/case-management" search={{ q: entity.value, filters: { status: ['open', 'acknowledged'] } }}>
            Open cases
          </Link>
          {search.allowed ? (
            <Link to="/search" search={{ query: eventsWith(entity) }}>
              Events
            </Link>
          ) : null}
        </div>
        {found.map(({ runId, text }) => (
          <div key={`${runId}/${text}`} className={classes.entityFacts}>
            {runId === undefined ? text : <RunLink runId={runId}>{text}</RunLink>}
          </div>
        ))}
      </div>
      <CopyButton value={entity.value} label={`Copy ${entity.value}`} />
    </li>
  );
}
