import type { ActionDefinition, ActionEffect } from '@airdeck/contracts/actions/schema';
import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { t } from '../../../../language/translate.ts';
import { plainLetters } from '../../../../lib/plain-letters.ts';
import type { BuilderAction } from '../document/builder-action.ts';
import { newAction, newDelay, newPrompt, newSubPlaybook } from '../document/new-action.ts';

/** A step that can be added. */
export type PaletteItem = {
  readonly key: string;
  readonly kind: BuilderAction['kind'];
  readonly label: string;
  readonly about: string;
  readonly effect?: ActionEffect;
  /** Its product has no connector here, so it would fail. */
  readonly unconnected?: boolean;
  readonly make: () => BuilderAction;
};

export type PaletteGroup = { readonly title: string; readonly items: readonly PaletteItem[] };

type Given = {
  actions: readonly ActionDefinition[];
  playbooks: readonly Pick<Playbook, 'id' | 'metadata' | 'version'>[];
  /** The playbook that is built; it cannot run itself. */
  ownId: string;
  /** Integrations with a connector that is switched on; undefined while not known. */
  connected: ReadonlySet<string> | undefined;
};

const order = new Intl.Collator('en');

const flowItems: readonly PaletteItem[] = [
  {
    key: 'prompt',
    kind: 'prompt',
    label: t('Ask somebody'),
    about: t('A question with answers; what follows can depend on the answer'),
    make: newPrompt,
  },
  { key: 'delay', kind: 'delay', label: t('Wait'), about: t('Goes on after a time'), make: newDelay },
];

/** Everything a step can be: flow first, then actions by product, those that are connected before the others. */
export function paletteGroups({ actions, playbooks, ownId, connected }: Given): PaletteGroup[] {
  const products = new Map<string, ActionDefinition[]>();
  for (const action of actions) products.set(productOf(action), [...(products.get(productOf(action)) ?? []), action]);
  const isConnected = ([, [one]]: [string, ActionDefinition[]]) =>
    one !== undefined && (!one.requires_connector || connected?.has(one.definition_id) !== false);
  const byProduct = [...products].toSorted(
    (one, other) => Number(isConnected(other)) - Number(isConnected(one)) || order.compare(one[0], other[0]),
  );
  const published = playbooks.filter(({ id, version }) => version > 0 && id !== ownId);
  return [
    { title: t('Flow'), items: flowItems },
    ...byProduct.map(([title, group]) => ({
      title,
      items: group
        .toSorted((one, other) => order.compare(one.friendly_name, other.friendly_name))
        .map((action) => actionItem(action, !isConnected([title, [action]]))),
    })),
    { title: t('Playbooks'), items: published.map(playbookItem) },
  ].filter(({ items }) => items.length > 0);
}

function actionItem(action: ActionDefinition, unconnected: boolean): PaletteItem {
  return {
    key: action.action_id,
    kind: 'action',
    label: action.friendly_name,
    about: action.description,
    effect: action.effect,
    unconnected,
    make: () => newAction(action),
  };
}

function playbookItem(playbook: Given['playbooks'][number]): PaletteItem {
  const { name, description } = playbook.metadata;
  return { key: playbook.id, kind: 'playbook', label: name, about: description, make: () => newSubPlaybook(playbook) };
}

function productOf({ vendor, product }: ActionDefinition): string {
  return vendor === product ? vendor : `${vendor} ${product}`;
}

/** Groups with the items in which each word typed stands somewhere. */
export function matchingGroups(groups: readonly PaletteGroup[], typed: string): PaletteGroup[] {
  const wanted = plainLetters(typed).split(/\s+/).filter(Boolean);
  return groups.flatMap((group) => {
    const items = group.items.filter(({ label, about, key }) => {
      const text = plainLetters(`${group.title} ${label} ${about} ${key}`);
      return wanted.every((word) => text.includes(word));
    });
    return items.length === 0 ? [] : [{ ...group, items }];
  });
}
