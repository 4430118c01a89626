/** A file somebody chose or dropped, by its path where it lay in a folder. */
export type ChosenFile = {
  readonly name: string;
  readonly inFolder: boolean;
  readonly open: () => Promise<File>;
};

/** Of dropped folders, links that lead in circles among them. */
const MAX_DEPTH = 20;

/** What the browser's own dialog answers: files, or all of a folder. */
export function chosenByDialog(files: Iterable<File>): ChosenFile[] {
  return [...files].map((file) => {
    // Where folders cannot be chosen, files may have no path at all.
    const path = file.webkitRelativePath ?? '';
    return { name: path === '' ? file.name : path, inFolder: path !== '', open: async () => file };
  });
}

/**
 * What was dropped, with everything in dropped folders. To be called while the drop is handled: the browser shows what was
 * dropped only then.
 */
export function chosenByDrop({ items, files }: Pick<DataTransfer, 'items' | 'files'>): Promise<ChosenFile[]> {
  const entries = [...(items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  return entries.length === 0 ? Promise.resolve(chosenByDialog(files)) : filesOf(entries);
}

async function filesOf(entries: readonly FileSystemEntry[]): Promise<ChosenFile[]> {
  const found: ChosenFile[] = [];
  async function walk(entry: FileSystemEntry, depth: number): Promise<void> {
    if (isFolder(entry)) {
      if (depth > MAX_DEPTH) return;
      for (const inside of await entriesIn(entry)) await walk(inside, depth + 1);
    } else if (isFile(entry)) {
      const open = () => new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      found.push({ name: entry.fullPath.replace(/^\//, ''), inFolder: depth > 0, open });
    }
  }
  for (const entry of entries) await walk(entry, 0);
  return found;
}

/** Browsers tell the entries of a folder a hundred at a time. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    found.push(...some);
  }
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
