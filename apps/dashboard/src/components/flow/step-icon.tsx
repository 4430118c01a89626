import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { IconBolt, IconClock, IconMessageQuestion, IconRoute } from '@tabler/icons-react';

const icons = { action: IconBolt, prompt: IconMessageQuestion, delay: IconClock, playbook: IconRoute } as const;

/** What kind of step it is. */
export function StepIcon({ kind }: { kind: PlaybookAction['kind'] }) {
  const Icon = icons[kind];
  return <Icon size={16} aria-hidden />;
}
