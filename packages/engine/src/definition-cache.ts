import {
  type CompiledDefinition,
  compileDefinition,
  type Definition,
  isContentOf,
  type TraitsByName,
} from './definition.ts';
import type { SqlClient } from './interfaces.ts';

const MAX_CACHED = 500;

/** Compiled definitions by tenant and content. Content never changes, so nothing here can be stale. */
export interface DefinitionCache {
  /** Loads the missing ones through `tx`. Null where what is stored is not what was once stored under this hash. */
  getMany(tx: SqlClient, keys: readonly DefinitionKey[]): Promise<(key: DefinitionKey) => CompiledDefinition | null>;
}

export type DefinitionKey = { readonly tenant_id: string; readonly definition_hash: string };

export function createDefinitionCache(): DefinitionCache {
  const cached = new Map<string, CompiledDefinition>();

  function remember(key: string, compiled: CompiledDefinition): void {
    if (cached.size >= MAX_CACHED) {
      const oldest = cached.keys().next();
      if (!oldest.done) cached.delete(oldest.value);
    }
    cached.set(key, compiled);
  }

  async function getMany(tx: SqlClient, keys: readonly DefinitionKey[]) {
    const found = new Map<string, CompiledDefinition>();
    const missing = new Map<string, DefinitionKey>();
    for (const key of keys) {
      const hit = cached.get(cacheKey(key));
      if (hit) found.set(cacheKey(key), hit);
      else missing.set(cacheKey(key), key);
    }
    for (const row of missing.size > 0 ? await load(tx, [...missing.values()]) : []) {
      if (!isContentOf(row.definition_hash, row.body, row.traits)) continue;
      const compiled = compileDefinition(row.body, row.traits);
      found.set(cacheKey(row), compiled);
      remember(cacheKey(row), compiled);
    }
    return (key: DefinitionKey) => found.get(cacheKey(key)) ?? null;
  }

  return { getMany };
}

function cacheKey(key: DefinitionKey): string {
  return `${key.tenant_id}/${key.definition_hash}`;
}

type DefinitionRow = DefinitionKey & { body: Definition; traits: TraitsByName };

async function load(tx: SqlClient, keys: readonly DefinitionKey[]): Promise<DefinitionRow[]> {
  const { rows } = await tx.query<DefinitionRow>(
    `select d.tenant_id, d.hash as definition_hash, d.body, d.traits
     from engine.definition d
     join unnest($1::uuid[], $2::text[]) as k(tenant_id, hash) on k.tenant_id = d.tenant_id and k.hash = d.hash`,
    [keys.map((key) => key.tenant_id), keys.map((key) => key.definition_hash)],
  );
  return rows;
}
