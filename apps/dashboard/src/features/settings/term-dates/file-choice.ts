import { limits } from '@airdeck/contracts/limits';

const MEGABYTE = 1_048_576;

/** Why a file cannot be added; undefined when it can. The server looks inside, too. */
export function fileProblem(file: Pick<File, 'name' | 'type' | 'size'>): string | undefined {
  if (file.type !== 'application/pdf') return `${file.name} is not a PDF.`;
  if (file.size === 0) return `${file.name} is empty.`;
  if (file.size > limits.contractFileMaxBytes) {
    return `${file.name} is ${fileSize(file.size)}; at most ${limits.contractFileMaxBytes / MEGABYTE} MB can be added.`;
  }
  return undefined;
}

export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < MEGABYTE) return `${Math.round(bytes / 1024)} kB`;
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

/** The address behind a download link of the API, which may live elsewhere than this page. */
export function downloadAddress(link: string, apiBase: string, page: string): string {
  return new URL(link, new URL(apiBase, page)).href;
}
