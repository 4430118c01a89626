import type { CaseActivityKind, CaseDetail } from '@airdeck/contracts/cases/schema';
import { limits } from '@airdeck/contracts/limits';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { personName } from '../../../components/person-name.ts';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { FacetMenu } from '../../../ui/facet-menu.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Timeline } from '../../../ui/timeline.tsx';
import classes from './case.module.css';
import { CommentBox } from './comment-box.tsx';
import { storyEntry } from './story-entries.tsx';
import { storyKindLabel, storyKinds } from './story-kinds.ts';
import type { CaseUpdater } from './use-case-update.ts';

/** Long stories begin folded: what happened last is what the next step depends on. */
const SHOWN_LAST = 25;

type Props = {
  of: CaseDetail;
  updater: CaseUpdater;
  /** Kinds of entries to show; all when undefined. */
  kinds: readonly CaseActivityKind[] | undefined;
  onKinds: (kinds: CaseActivityKind[] | undefined) => void;
};

/** What happened, oldest first, and a place to say something. */
export function CaseStory({ of, updater, kinds, onKinds }: Props) {
  const { user } = useCurrentUser();
  const [whole, setWhole] = useState(false);
  const fitting = kinds === undefined ? of.activity : of.activity.filter(({ kind }) => kinds.includes(kind));
  const shown = whole ? fitting : fitting.slice(-SHOWN_LAST);
  const earlier = fitting.length - shown.length;
  const isCut = earlier === 0 && of.activity.length >= limits.caseStoryMax;
  return (
    <Panel title={t('Story')} aside={<KindFilter of={of} kinds={kinds} onKinds={onKinds} />}>
      {earlier > 0 ? (
        <Button variant="subtle" className={classes.earlier ?? ''} onClick={() => setWhole(true)}>
          {plural(earlier, 'Show {count} earlier entry', 'Show {count} earlier entries')}
        </Button>
      ) : null}
      {isCut ? <p className={classes.none}>{t('Older entries are in the export of the case.')}</p> : null}
      {shown.length === 0 ? (
        <p className={classes.none}>{t('Nothing of this kind happened in this case.')}</p>
      ) : (
        <Timeline
          label={t('Story of the case')}
          entries={shown.map((entry) => storyEntry(entry, { of, nameOf: (username) => personName(username, user) }))}
        />
      )}
      <CommentBox key={of.id} caseId={of.id} updater={updater} />
    </Panel>
  );
}

function KindFilter({ of, kinds, onKinds }: Pick<Props, 'of' | 'kinds' | 'onKinds'>) {
  const counted = storyKinds.map((kind) => ({
    value: kind,
    label: storyKindLabel(kind),
    count: of.activity.filter((entry) => entry.kind === kind).length,
  }));
  return (
    <FacetMenu
      facet={{
        id: 'kind',
        label: t('Kind'),
        selected: kinds ?? [],
        options: counted.filter(({ value, count }) => count > 0 || kinds?.includes(value) === true),
      }}
      onChange={(selected) => {
        const chosen = storyKinds.filter((kind) => selected?.includes(kind) === true);
        onKinds(chosen.length === 0 ? undefined : chosen);
      }}
    />
  );
}
