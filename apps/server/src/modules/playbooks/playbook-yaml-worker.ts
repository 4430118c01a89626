/** The thread that reads or writes one text of YAML and ends. Its own bundle in a build; nothing of the server is in it. */
import { parentPort, workerData } from 'node:worker_threads';
import { readYaml, writeYaml, type YamlData } from './yaml-data.ts';

export type YamlOrder =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'write'; readonly value: unknown };
export type YamlResult =
  | { readonly kind: 'read'; readonly data: YamlData }
  | { readonly kind: 'written'; readonly text: string };

parentPort?.postMessage(work(workerData as YamlOrder));

function work(order: YamlOrder): YamlResult {
  if (order.kind === 'read') return { kind: 'read', data: readYaml(order.text) };
  return { kind: 'written', text: writeYaml(order.value) };
}
