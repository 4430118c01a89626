/** Playbooks as the wire knows them. */
import {
  type DraftDefinition,
  type Playbook,
  type PlaybookDefinition,
  type PlaybookFigures,
  playbookActionSchema,
  playbookDefinitionSchema,
  type playbookTriggers,
} from '@airdeck/contracts/playbooks/schema';
import { DEFAULT_CONCURRENT_ACTIONS } from '@airdeck/engine/definition';
import type { ListedRow } from './playbooks-repository.ts';

type Trigger = (typeof playbookTriggers)[number];

/** What starts playbooks beside a person, by playbook id. */
export type Starters = Readonly<Record<'policies' | 'automations' | 'playbooks', ReadonlySet<string>>>;

export function playbookOnTheWire(
  row: ListedRow,
  { figures, starters }: { figures: PlaybookFigures; starters: Starters },
): Playbook {
  const definition = row.definition ?? completeParts(row.draft_definition);
  return {
    ...definition,
    id: row.id,
    tenant: row.tenant_id,
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    has_draft: row.has_draft,
    triggers: row.version === 0 ? [] : triggersOf(row.id, starters),
    figures,
  };
}

function triggersOf(id: string, { policies, automations, playbooks }: Starters): Trigger[] {
  const others: Trigger[] = [];
  if (policies.has(id)) others.push('policy');
  if (automations.has(id)) others.push('automation');
  if (playbooks.has(id)) others.push('playbook');
  return ['manual', ...others];
}

/** Of a draft what can be shown as a playbook: one action that is not finished yet does not hide the others. */
function completeParts(draft: DraftDefinition | null): PlaybookDefinition {
  const options = playbookDefinitionSchema.shape.exec_options.safeParse(draft?.exec_options);
  return {
    metadata: draft?.metadata ?? { name: 'Draft', description: '', author: '', updated_by: '' },
    inputs: draft?.inputs ?? {},
    actions: (draft?.actions ?? []).flatMap((action) => {
      const parsed = playbookActionSchema.safeParse(action);
      return parsed.success ? [parsed.data] : [];
    }),
    outputs: draft?.outputs ?? {},
    exec_options: options.success ? options.data : { max_concurrent_actions: DEFAULT_CONCURRENT_ACTIONS },
  };
}
