import { plural } from '../../../language/plural.ts';
import { pageLanguage, t } from '../../../language/translate.ts';
/**
 * Reads what somebody chose into texts of rules: YAML files as they are, archives by their YAML files. Everything is
 * bounded before it is unpacked: an archive says how large its files become, and one that lies fails to unpack.
 */
export type RuleFile = { readonly name: string; readonly text: string };
export type FilesRead = {
  readonly files: readonly RuleFile[];
  /** What was left out, and why. */
  readonly leftOut: readonly string[];
};

const MEGABYTE = 1_048_576;
export const readLimits = {
  /** Characters of one rule file, as the server takes them. */
  fileChars: 256_000,
  files: 10_000,
  archiveBytes: 30 * MEGABYTE,
  unpackedBytes: 60 * MEGABYTE,
} as const;

const isRule = (name: string) => /\.ya?ml$/i.test(name) && !/(^|\/)(\.|__MACOSX\/)/.test(name);
const isArchive = (file: File) => /\.zip$/i.test(file.name) || file.type === 'application/zip';

export async function readFiles(chosen: readonly File[]): Promise<FilesRead> {
  const files: RuleFile[] = [];
  const leftOut: string[] = [];
  for (const file of chosen) {
    const read = isArchive(file) ? await readArchive(file) : await readRuleFile(file);
    files.push(...read.files);
    leftOut.push(...read.leftOut);
  }
  if (files.length <= readLimits.files) return { files, leftOut };
  return {
    files: files.slice(0, readLimits.files),
    leftOut: [
      ...leftOut,
      plural(
        files.length - readLimits.files,
        '{count} file beyond the first {most}',
        '{count} files beyond the first {most}',
        { most: readLimits.files },
      ),
    ],
  };
}

async function readRuleFile(file: File): Promise<FilesRead> {
  if (!isRule(file.name))
    return { files: [], leftOut: [t('{name}: neither YAML nor a zip archive', { name: file.name })] };
  // A character is at least one byte.
  if (file.size > readLimits.fileChars * 4) return { files: [], leftOut: [tooLong(file.name)] };
  return fitting([{ name: file.name, text: await file.text() }]);
}

async function readArchive(file: File): Promise<FilesRead> {
  if (file.size > readLimits.archiveBytes) {
    return {
      files: [],
      leftOut: [
        t('{name}: archives may have {size} MB', { name: file.name, size: readLimits.archiveBytes / MEGABYTE }),
      ],
    };
  }
  const { unzipSync } = await import('fflate');
  const leftOut: string[] = [];
  let unpacked = 0;
  let count = 0;
  const wanted = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (!isRule(name)) return false;
    count += 1;
    unpacked += originalSize;
    return (
      count <= readLimits.files && unpacked <= readLimits.unpackedBytes && originalSize <= readLimits.fileChars * 4
    );
  };
  try {
    const entries = unzipSync(new Uint8Array(await file.arrayBuffer()), { filter: wanted });
    const decoder = new TextDecoder();
    const files = Object.entries(entries).map(([name, bytes]) => ({ name, text: decoder.decode(bytes) }));
    if (count === 0) leftOut.push(t('{name}: no YAML file in it', { name: file.name }));
    else if (files.length < count)
      leftOut.push(
        t('{name}: {count} of its files too large, by themselves or together', {
          name: file.name,
          count: count - files.length,
        }),
      );
    const read = fitting(files);
    return { files: read.files, leftOut: [...leftOut, ...read.leftOut] };
  } catch {
    return { files: [], leftOut: [t('{name}: this archive cannot be unpacked', { name: file.name })] };
  }
}

function fitting(files: readonly RuleFile[]): FilesRead {
  return {
    files: files.filter(({ text }) => text.length <= readLimits.fileChars),
    leftOut: files.filter(({ text }) => text.length > readLimits.fileChars).map(({ name }) => tooLong(name)),
  };
}

function tooLong(name: string): string {
  return t('{name}: longer than {count} characters', {
    name,
    count: new Intl.NumberFormat(pageLanguage()).format(readLimits.fileChars),
  });
}
