import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { formatNames, recogniseRecord } from '@airdeck/event-parsers/parse-record';
import type { Command } from 'commander';
import { CommandError, inputError } from '../command-error.ts';
import type { Surroundings } from '../surroundings.ts';

type Bytes = AsyncIterable<Buffer>;

/** Standard input comes as an argument, so that a test can give its own. */
export function addParse(program: Command, surroundings: Surroundings, standardInput: Bytes = process.stdin): void {
  program
    .command('parse')
    .description('turn raw lines into normalized events, one as JSON per line')
    .argument('[file]', 'file of lines; without it, or with -, standard input')
    .option('--format <name>', 'the format to ask first')
    .option('--json', 'answer as JSON, which it always does')
    .action(async (file: string | undefined, { format }: { format?: string }) => {
      if (format !== undefined && !formatNames.includes(format)) {
        throw inputError('FORMAT_UNKNOWN', `There is no format "${format}"; there is ${formatNames.join(', ')}.`);
      }
      const path = file === undefined || file === '-' ? undefined : file;
      await parseAll(surroundings, path === undefined ? standardInput : bytesOf(path), format);
    });
}

async function parseAll({ now, result }: Surroundings, input: Bytes, hint: string | undefined): Promise<void> {
  const receivedAt = now();
  let number = 0;
  for await (const line of linesOf(input)) {
    number++;
    if (line.trim() === '') continue;
    const { format, envelope, event } = recogniseRecord(line, { receivedAt, ...(hint === undefined ? {} : { hint }) });
    const { integration, event_type, time, time_source, fields, ...columns } = event;
    result(
      JSON.stringify({
        line: number,
        integration,
        event_type,
        format,
        ...(envelope === undefined ? {} : { envelope }),
        time: new Date(time).toISOString(),
        time_source,
        ...columns,
        fields,
      }),
    );
  }
}

async function* bytesOf(path: string): Bytes {
  try {
    for await (const chunk of createReadStream(path)) yield chunk;
  } catch (error) {
    throw new CommandError('FILE_UNREADABLE', `${path} cannot be read.`, { exitCode: 2, cause: error });
  }
}

/** Lines without their ends. Only a line feed ends one: the other separators of Unicode belong to the text. */
async function* linesOf(input: Bytes): AsyncIterable<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of input) {
    const [first = '', ...more] = decoder.write(chunk).split('\n');
    rest += first;
    for (const next of more) {
      yield withoutReturn(rest);
      rest = next;
    }
  }
  rest += decoder.end();
  if (rest !== '') yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
