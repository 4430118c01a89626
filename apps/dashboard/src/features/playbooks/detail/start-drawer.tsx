import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { t } from '../../../language/translate.ts';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { StartPanel } from '../start/start-panel.tsx';

type Props = { playbook: Playbook; onClose: () => void };

/** Inputs and start of a playbook, beside its screen. */
export function StartDrawer({ playbook, onClose }: Props) {
  return (
    <SidePanel opened onClose={onClose} title={t('Run {name}', { name: playbook.metadata.name })}>
      <StartPanel playbook={playbook} />
    </SidePanel>
  );
}

/** The same for a try. */
export function TryDrawer({ playbook, onClose }: Props) {
  return (
    <SidePanel opened onClose={onClose} title={t('Try {name}', { name: playbook.metadata.name })}>
      <StartPanel playbook={playbook} triesFirst />
    </SidePanel>
  );
}
