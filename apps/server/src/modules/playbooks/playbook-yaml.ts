/**
 * Reads and writes playbooks as YAML without holding the event loop up: a megabyte of it takes a second and more, and as
 * much memory as its author likes, so it happens in a bounded thread. What is short is done in place.
 */
import { playbookTold } from '@airdeck/contracts/playbooks/problem-texts';
import type { DraftDefinition } from '@airdeck/contracts/playbooks/schema';
import { createBoundedThread, ThreadError, type ThreadLimits } from '../../bounded-thread.ts';
import { builtProgram } from '../../built-program.ts';
import { AppError } from '../../http/app-error.ts';
import { asPlaybook, inOrder, playbookYaml, type ReadPlaybook, readPlaybookYaml } from './playbook-yaml-text.ts';
import type { YamlOrder, YamlResult } from './playbook-yaml-worker.ts';
import type { YamlData } from './yaml-data.ts';

export interface PlaybookYaml {
  /** What the text holds, or what is wrong with it and where. Throws OVERLOADED when too many are being read. */
  read(text: string): Promise<ReadPlaybook>;
  write(definition: DraftDefinition): Promise<string>;
}

const yamlLimits: ThreadLimits = { timeoutMs: 20_000, heapMb: 192, maxWaiting: 20 };

/** Written within a few milliseconds. */
const SMALL_CHARS = 20_000;
/** Read within a few milliseconds: there is nothing in so short a text that takes longer. */
const SHORT_CHARS = 4_000;

export function createPlaybookYaml(limits: Partial<ThreadLimits> = {}): PlaybookYaml {
  const entry = builtProgram('playbook-yaml-worker');
  const thread = createBoundedThread<YamlOrder, YamlResult>(entry, { ...yamlLimits, ...limits });
  const work = (order: YamlOrder) => thread(order).catch(noResult);
  return {
    async read(text) {
      if (text.length <= SHORT_CHARS) return readPlaybookYaml(text);
      const result = await work({ kind: 'read', text });
      return asPlaybook(result?.kind === 'read' ? result.data : tooHeavy);
    },
    async write(definition) {
      if (JSON.stringify(definition).length <= SMALL_CHARS) return playbookYaml(definition);
      const result = await work({ kind: 'write', value: inOrder(definition) });
      if (result?.kind === 'written') return result.text;
      throw new AppError('OVERLOADED', { message: 'This playbook takes too long to write just now.', retryAfterS: 60 });
    },
  };
}

const tooHeavy: YamlData = { problems: [playbookTold('YAML_TOO_HEAVY')] };

/** Undefined for a thread that was stopped at its limits. */
function noResult(error: unknown): undefined {
  if (!(error instanceof ThreadError)) throw error;
  if (error.code === 'TOO_MANY') throw new AppError('OVERLOADED', { retryAfterS: 10 });
  return undefined;
}
