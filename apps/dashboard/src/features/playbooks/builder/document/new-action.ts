import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { defaultValues } from '../../../../components/schema-form/form-schema.ts';
import { t } from '../../../../language/translate.ts';
import { type BuilderAction, idFrom } from './builder-action.ts';

/** What a step taken from the palette starts as: something that can be filled in, with an id that says what it is. */
export function newAction(of: Pick<ActionDefinition, 'action_id' | 'friendly_name' | 'input_schema'>): BuilderAction {
  return {
    id: idFrom(of.friendly_name),
    kind: 'action',
    action: of.action_id,
    connector_id: null,
    input: defaultValues(of.input_schema),
  };
}

const DAY_S = 86_400;
const MINUTE_S = 60;

export function newPrompt(): BuilderAction {
  return {
    id: 'ask',
    kind: 'prompt',
    message: '',
    options: [
      { value: 'yes', label: t('Yes'), style: 'primary' },
      { value: 'no', label: t('No'), style: 'default' },
    ],
    approvers: { role: 'Analyst' },
    expires_in_s: DAY_S,
    default_option: 'no',
  };
}

export function newDelay(): BuilderAction {
  return { id: 'wait', kind: 'delay', seconds: MINUTE_S };
}

export function newSubPlaybook({ id, metadata }: Pick<Playbook, 'id' | 'metadata'>): BuilderAction {
  return { id: idFrom(metadata.name), kind: 'playbook', playbook_id: id, inputs: {} };
}
