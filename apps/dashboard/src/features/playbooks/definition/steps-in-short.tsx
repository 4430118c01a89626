import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { useActionNames } from '../../../components/action-names.ts';
import { StepIcon } from '../../../components/flow/step-icon.tsx';
import { stepWords } from '../../../components/flow/step-words.ts';
import { useReader } from '../../../ui/reader.ts';
import classes from './definition.module.css';

/** The steps of a playbook, a line each. */
export function StepsInShort({ actions }: { actions: readonly PlaybookAction[] }) {
  const nameOf = useActionNames();
  const { locale } = useReader();
  return (
    <ol className={classes.short}>
      {actions.map((action) => {
        const { name, what, vendor } = stepWords(action, { nameOf, locale });
        const note = action.kind === 'prompt' ? action.message : [what, vendor].filter(Boolean).join(' · ');
        return (
          <li key={action.id} className={classes.shortStep}>
            <span className={classes.kind}>
              <StepIcon kind={action.kind} />
            </span>
            <span className={classes.shortName}>{name}</span>
            <span className={classes.shortNote} title={note}>
              {note}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
