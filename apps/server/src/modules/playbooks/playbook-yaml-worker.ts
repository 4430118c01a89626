/** The thread that reads or writes one playbook as YAML and ends. Its own bundle in a build; nothing of the server is in it. */
import { parentPort, workerData } from 'node:worker_threads';
import type { DraftDefinition } from '@airdeck/contracts/playbooks/schema';
import { playbookYaml, type ReadYaml, readPlaybookYaml } from './playbook-yaml-text.ts';

export type YamlOrder =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'write'; readonly definition: DraftDefinition };
export type YamlResult =
  | { readonly kind: 'read'; readonly read: ReadYaml }
  | { readonly kind: 'written'; readonly text: string };

parentPort?.postMessage(work(workerData as YamlOrder));

function work(order: YamlOrder): YamlResult {
  if (order.kind === 'read') return { kind: 'read', read: readPlaybookYaml(order.text) };
  return { kind: 'written', text: playbookYaml(order.definition) };
}
