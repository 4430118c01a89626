/** The three calls of local storage, which may be switched off or full: then nothing is kept and nothing breaks. */
export type BrowserStorage = {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};

/** Local storage that never throws. */
export function createBrowserStorage(find: () => Storage): BrowserStorage {
  function attempt<T>(use: (storage: Storage) => T, otherwise: T): T {
    try {
      return use(find());
    } catch {
      return otherwise;
    }
  }
  return {
    getItem: (key) => attempt((storage) => storage.getItem(key), null),
    setItem: (key, value) => attempt((storage) => storage.setItem(key, value), undefined),
    removeItem: (key) => attempt((storage) => storage.removeItem(key), undefined),
  };
}
