import type { Policy } from '@airdeck/contracts/policies/schema';
import { Person } from '../../../components/person.tsx';
import { ReferenceList } from '../../../components/reference-list.tsx';
import { t } from '../../../language/translate.ts';
import { Count } from '../../../ui/count.tsx';
import { type Fact, KeyFacts } from '../../../ui/key-facts.tsx';
import parts from '../../../ui/panel-parts.module.css';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { countingSentences } from '../criteria/counting-words.ts';
import { CriteriaWords } from '../criteria/criteria-words.tsx';
import { SequenceWords } from '../criteria/sequence-words.tsx';
import classes from './list.module.css';
import { MatchesSparkline } from './matches-sparkline.tsx';
import { Author } from './policy-columns.tsx';
import { originWords, sourceWords, techniqueAddress } from './policy-words.ts';

/** What a policy is for, what it looks for, when it opens a case, and whose work it is. */
export function PolicyAbout({ policy }: { policy: Policy }) {
  const { rule } = policy;
  const { source } = rule.logic;
  return (
    <>
      <p className={rule.description === '' ? classes.words : classes.text}>
        {rule.description === '' ? t('Nobody has described it yet.') : rule.description}
      </p>
      <section>
        <h3 className={parts.title}>{t('What it looks for')}</h3>
        <p className={classes.words}>
          {t('In events of {sources}:', { sources: [source, ...(source.also ?? [])].map(sourceWords).join(', ') })}
        </p>
        {rule.logic.filter_criteria.length === 0 ? null : <CriteriaWords criteria={rule.logic.filter_criteria} />}
        {rule.logic.sequence === undefined ? null : <SequenceWords sequence={rule.logic.sequence} />}
      </section>
      <section>
        <h3 className={parts.title}>{t('When it opens a case')}</h3>
        {countingSentences(rule.logic).map((sentence) => (
          <p key={sentence} className={classes.text}>
            {sentence}
          </p>
        ))}
      </section>
      <KeyFacts facts={factsOf(policy)} />
      <Origin policy={policy} />
    </>
  );
}

function factsOf(policy: Policy): Fact[] {
  const { rule, origin } = policy;
  return [
    { label: t('Matches, 14 days'), value: <MatchesSparkline days={policy.matches_by_day} wide /> },
    { label: t('Open cases##state'), value: <Count value={policy.open_cases} /> },
    {
      label: t('Last opened a case'),
      value: policy.created_alert === null ? t('Never') : <RelativeTime time={policy.created_alert} />,
    },
    ...(rule.techniques === undefined || rule.techniques.length === 0
      ? []
      : [{ label: t('MITRE ATT&CK'), value: <Techniques techniques={rule.techniques} /> }]),
    { label: t('Author'), value: <Author policy={policy} /> },
    {
      label: t('Origin'),
      value:
        policy.published?.overridden === true
          ? t('{origin}, changed here', { origin: originWords[origin] })
          : originWords[origin],
    },
    {
      label: t('Changed'),
      value: (
        <>
          <RelativeTime time={policy.updated_at} />
          {policy.updated_by === '' ? null : (
            <>
              {t(' by ')}
              <Person username={policy.updated_by} />
            </>
          )}
          <span className={classes.faint}>{t(' · version {version}', { version: policy.version })}</span>
        </>
      ),
    },
  ];
}

function Techniques({ techniques }: { techniques: readonly string[] }) {
  return (
    <span className={classes.techniques}>
      {techniques.map((technique) => (
        <a key={technique} href={techniqueAddress(technique)} target="_blank" rel="noreferrer">
          {technique}
        </a>
      ))}
    </span>
  );
}

/** What has to be said of a rule somebody else wrote. */
function Origin({ policy: { rule } }: { policy: Policy }) {
  const { origin } = rule;
  if (origin === undefined) return null;
  return (
    <section>
      <h3 className={parts.title}>{t('Imported rule')}</h3>
      <KeyFacts
        facts={[
          { label: t('License'), value: origin.license },
          { label: t('Level, status'), value: [origin.level, origin.status].filter((part) => part !== '').join(', ') },
          { label: t('Sigma id'), value: <span className={`air-mono ${classes.breakable}`}>{origin.id}</span> },
          { label: t('Date'), value: origin.date },
        ]}
      />
      <Listed title={t('Known false positives')} items={origin.false_positives} />
      <Listed title={t('References')} items={origin.references} />
    </section>
  );
}

function Listed({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <h4 className={classes.smallTitle}>{title}</h4>
      <ReferenceList items={items} />
    </>
  );
}
