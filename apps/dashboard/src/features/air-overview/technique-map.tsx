import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import { byTactic, techniqueName } from '@airdeck/domain/attack-tactics';
import { plural } from '../../language/plural.ts';
import { known, t } from '../../language/translate.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './air-overview.module.css';
import { CasesLink } from './cases-link.tsx';
import { Hint } from './hint.tsx';

type Technique = AirOverview['techniques'][number];

/** What policies watch for and what they found, along the course of an attack. */
export function TechniqueMap({ overview }: { overview: AirOverview }) {
  const groups = byTactic(overview.techniques);
  const most = Math.max(1, ...overview.techniques.map(({ cases }) => cases));
  return (
    <Panel
      title={t('MITRE ATT&CK')}
      aside={
        <Hint
          text={t(
            'Techniques that policies name, parts of one counted as it. The color tells how many cases those policies opened in the period; a dashed frame, that none of them is switched on.',
          )}
        />
      }
      flush
    >
      {groups.length === 0 ? (
        <p className={classes.nothingFlush}>{t('No policy names a technique.')}</p>
      ) : (
        <div className={classes.map}>
          {groups.map(({ tactic, techniques }) => (
            <section key={tactic} className={classes.tactic} aria-label={known(tactic)}>
              <h3 className={classes.tacticName}>{known(tactic)}</h3>
              <div className={classes.techniques}>
                {techniques.map((technique) => (
                  <Cell key={technique.technique} technique={technique} most={most} overview={overview} />
                ))}
              </div>
            </section>
          ))}
        </div>
      )}
    </Panel>
  );
}

type CellProps = { technique: Technique; most: number; overview: AirOverview };

function Cell({ technique: one, most, overview }: CellProps) {
  const name = techniqueName(one.technique);
  const words = t('{technique}: {cases}, {policies}, {enabled}', {
    technique: name === '' ? one.technique : `${one.technique} ${name}`,
    cases: plural(one.cases, '{count} case', '{count} cases'),
    policies: plural(one.policies, '{count} policy', '{count} policies'),
    enabled: plural(one.enabled_policies, '{count} switched on', '{count} switched on##several'),
  });
  const look = {
    className: classes.technique,
    'data-off': one.enabled_policies === 0 || undefined,
    style: { background: heat(one.cases / most) },
    title: words,
  };
  const inner = (
    <>
      <span className={classes.techniqueId}>
        {one.technique}
        <span className={classes.techniqueCases}>{one.cases === 0 ? '' : one.cases}</span>
      </span>
      <span className={classes.techniqueName}>{name}</span>
    </>
  );
  if (one.cases === 0) return <div {...look}>{inner}</div>;
  return (
    <div {...look}>
      <CasesLink
        className={classes.techniqueLink}
        behind={{ startTime: overview.start_time, endTime: overview.end_time, technique: one.technique }}
        label={words}
      >
        {inner}
      </CasesLink>
    </div>
  );
}

function heat(share: number): string {
  return share === 0
    ? 'transparent'
    : `color-mix(in srgb, var(--air-high) ${Math.round(8 + share * 22)}%, transparent)`;
}
