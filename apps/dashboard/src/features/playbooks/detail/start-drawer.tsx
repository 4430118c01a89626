import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { StartPanel } from '../start/start-panel.tsx';

type Props = { playbook: Playbook; onClose: () => void };

/** Inputs and start of a playbook, beside its screen. */
export function StartDrawer({ playbook, onClose }: Props) {
  return (
    <SidePanel opened onClose={onClose} title={`Run ${playbook.metadata.name}`}>
      <StartPanel playbook={playbook} />
    </SidePanel>
  );
}

/** The same for a try. */
export function TryDrawer({ playbook, onClose }: Props) {
  return (
    <SidePanel opened onClose={onClose} title={`Try ${playbook.metadata.name}`}>
      <StartPanel playbook={playbook} triesFirst />
    </SidePanel>
  );
}
