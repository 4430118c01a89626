import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import { HeaderSkeleton, Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import classes from './editor.module.css';

/** The editor while it loads. */
export function EditorSkeleton() {
  return (
    <Loading waited label={t('Loading the policy')}>
      <HeaderSkeleton />
      <div className={classes.columns}>
        <div className={classes.column}>
          <Panel>
            <TextSkeleton lines={8} />
          </Panel>
          <Panel>
            <TextSkeleton lines={10} />
          </Panel>
        </div>
        <div className={classes.column}>
          <Panel>
            <TextSkeleton lines={8} />
          </Panel>
        </div>
      </div>
    </Loading>
  );
}
