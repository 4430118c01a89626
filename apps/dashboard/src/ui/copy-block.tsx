import classes from './copy-block.module.css';
import { CopyButton } from './copy-button.tsx';

type Props = {
  title: string;
  /** What the button does, for readers. */
  label: string;
  text: string;
};

/** Text to take along, as code, with its button. */
export function CopyBlock({ title, label, text }: Props) {
  return (
    <div>
      <div className={classes.label}>{title}</div>
      <div className={classes.code}>
        <code>{text.trimEnd()}</code>
        <CopyButton value={text} label={label} />
      </div>
    </div>
  );
}
