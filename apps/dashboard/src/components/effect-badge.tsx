import type { ActionEffect } from '@airdeck/contracts/actions/schema';
import { IconEye, IconFlame, IconPencil } from '@tabler/icons-react';
import { t } from '../language/translate.ts';
import { StatusBadge } from './status-badge.tsx';
import type { StatusLook } from './status-table.ts';

const looks: Readonly<Record<ActionEffect, StatusLook>> = {
  reads: { word: t('Reads'), color: 'var(--air-low)', icon: IconEye },
  changes: { word: t('Changes'), color: 'var(--air-medium)', icon: IconPencil },
  destroys: { word: t('Destroys'), color: 'var(--air-critical)', icon: IconFlame },
};

/** What each class of effect means for whoever runs it. */
export const effectSentences: Readonly<Record<ActionEffect, string>> = {
  reads: t('It only looks something up; nothing changes out there.'),
  changes: t('It changes something out there.'),
  destroys: t('It destroys something out there that cannot be brought back from here. You are asked before it runs.'),
};

/** Colour, icon and word of what an action does to the outside. */
export function EffectBadge({ effect, variant }: { effect: ActionEffect; variant?: 'framed' | 'plain' }) {
  return <StatusBadge look={looks[effect]} {...(variant === undefined ? {} : { variant })} />;
}
