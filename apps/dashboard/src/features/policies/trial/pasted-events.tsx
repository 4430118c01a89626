import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import type { PolicyTrial } from '@airdeck/contracts/policies/trial-schema';
import { Button, Group, Textarea } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { policyMutations } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { isSameRule } from '../draft/policy-draft.ts';
import { sourceWords } from '../list/policy-words.ts';
import { NewestEventsButton } from './newest-events-button.tsx';
import classes from './trial.module.css';

const CHARS_MAX = 500_000;
/** Lines that are listed one by one. */
const SHOWN = 100;

type Props = {
  rule: PolicyRule;
  /** Why the rule cannot be tried yet. */
  blocked: string | undefined;
};

/** Holds what is being written against events as their source writes them: which match, and what cases come of it. */
export function PastedEvents({ rule, blocked }: Props) {
  const [events, setEvents] = useState('');
  const trial = useMutation(policyMutations.test(useTenantApi()));
  const stale = trial.data !== undefined && trial.variables !== undefined && !isSame(trial.variables, { rule, events });
  return (
    <div className={classes.stack}>
      <Textarea
        label={t('Events, one per line')}
        description={t('As their source writes them. Nothing is stored.')}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        classNames={{ input: classes.events ?? '' }}
        rows={7}
        wrap="off"
        spellCheck={false}
        maxLength={CHARS_MAX}
        value={events}
        onChange={(event) => setEvents(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button
          loading={trial.isPending}
          disabled={events.trim() === '' || blocked !== undefined}
          onClick={() => trial.mutate({ rule, events })}
        >
          {t('Try')}
        </Button>
        <NewestEventsButton source={rule.logic.source} onEvents={setEvents} />
      </Group>
      {blocked === undefined ? null : <p className={classes.words}>{blocked}</p>}
      <ProblemNote error={trial.error} />
      {trial.data === undefined ? null : <Outcome trial={trial.data} stale={stale} />}
    </div>
  );
}

type Asked = { rule: PolicyRule; events: string };

function isSame(one: Asked, other: Asked): boolean {
  return one.events === other.events && isSameRule(one.rule, other.rule);
}

function Outcome({ trial: { lines, summary }, stale }: { trial: PolicyTrial; stale: boolean }) {
  const { events, matched, cases } = summary;
  const otherSource = lines.filter(({ of_source }) => !of_source).length;
  return (
    <div className={classes.stack}>
      <p className={classes.outcome} role="status">
        <strong>
          {plural(events, '{matched} of {count} event matches', '{matched} of {count} events match', { matched })}
        </strong>
        ,{' '}
        {cases.length === 0
          ? t('no case would open')
          : plural(cases.length, '{count} case would open', '{count} cases would open')}
        .{stale ? t(' Something was changed since; try again.') : ''}
      </p>
      {otherSource === 0 ? null : (
        <p className={classes.words}>
          {plural(
            otherSource,
            '{count} line is of another source than the policy looks at, and never match.',
            '{count} lines are of another source than the policy looks at, and never match.',
          )}
        </p>
      )}
      <ol className={classes.lines}>
        {lines.slice(0, SHOWN).map((line) => (
          <li key={line.line} className={classes.line} data-matched={line.matched || undefined}>
            {line.matched ? <IconCheck size={14} aria-hidden /> : <IconMinus size={14} aria-hidden />}
            <span>{t('Line {number}', { number: line.line })}</span>
            <span>{line.matched ? t('matches') : line.of_source ? t('no match') : t('other source')}</span>
            <span className={classes.readAs}>
              {sourceWords({ connector_definition_id: line.integration, event_type: line.event_type })}
            </span>
          </li>
        ))}
      </ol>
      {lines.length > SHOWN ? (
        <p className={classes.words}>{t('The first {count} lines are listed.', { count: SHOWN })}</p>
      ) : null}
      {cases.length === 0 ? null : <Cases cases={cases} />}
    </div>
  );
}

function Cases({ cases }: { cases: PolicyTrial['summary']['cases'] }) {
  return (
    <div>
      <h3 className={classes.heading}>{t('Cases it would open')}</h3>
      <ul className={classes.lines}>
        {cases.slice(0, SHOWN).map(({ group, events }) => {
          const words = Object.entries(group)
            .map(([name, value]) => `${name} ${value === '' ? t('(empty)') : value}`)
            .join(', ');
          return (
            <li key={words} className={classes.case}>
              <span className={classes.caseGroup}>{words === '' ? t('All matches together') : words}</span>
              <span>{plural(events, '{count} event', '{count} events')}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
