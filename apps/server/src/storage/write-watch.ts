/**
 * Who wants to know about writes to which tables. A text is looked at once: the same statements come again and again.
 * Handlers get the tenant whose transaction it was; undefined where it was over all tenants.
 */
export type WriteHandler = (tenantId: string | undefined) => void;

export type WriteWatch = {
  watch(tables: readonly string[], handler: WriteHandler): () => void;
  /** Those that watch a table the statement writes to. */
  handlersOf(statement: string): readonly WriteHandler[];
};

const KNOWN_TEXTS_MAX = 2000;
const NAME = /^[a-z_]+$/;

export function createWriteWatch(): WriteWatch {
  const watches = new Map<WriteHandler, RegExp>();
  const known = new Map<string, readonly WriteHandler[]>();

  return {
    watch(tables, handler) {
      if (!tables.every((table) => NAME.test(table))) throw new Error(`Not table names: ${tables.join(', ')}`);
      watches.set(handler, writesTo(tables));
      known.clear();
      return () => {
        watches.delete(handler);
        known.clear();
      };
    },
    handlersOf(statement) {
      if (watches.size === 0) return [];
      const found = known.get(statement);
      if (found !== undefined) return found;
      const handlers = [...watches].filter(([, pattern]) => pattern.test(statement)).map(([handler]) => handler);
      if (known.size >= KNOWN_TEXTS_MAX) known.clear();
      known.set(statement, handlers);
      return handlers;
    },
  };
}

/** Also inside a `with`; a table that is only named after such words in a text constant costs one clearing too many. */
function writesTo(tables: readonly string[]): RegExp {
  const names = tables.join('|');
  return new RegExp(
    `\\b(?:insert\\s+into|update|delete\\s+from|merge\\s+into)\\s+(?:only\\s+)?(?:public\\.)?"?(?:${names})"?(?![\\w".])`,
    'i',
  );
}
