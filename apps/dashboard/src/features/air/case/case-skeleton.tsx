import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import { HeaderSkeleton, Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import classes from './case.module.css';

/** The shape of a case's page. */
export function CaseSkeleton() {
  return (
    <Loading waited label={t('Loading case')}>
      <HeaderSkeleton />
      <div className={classes.root} data-variant="page">
        <div className={classes.columns}>
          <div className={classes.facts}>
            <Panel>
              <TextSkeleton lines={9} />
            </Panel>
          </div>
          <div className={classes.story}>
            <Panel>
              <TextSkeleton lines={12} />
            </Panel>
          </div>
        </div>
      </div>
    </Loading>
  );
}
