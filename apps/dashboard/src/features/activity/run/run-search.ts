import { isUuid } from '@airdeck/domain/uuid';
import { checkedSearch, textParam } from '../../../lib/search-params.ts';

const ANSWER_MAX = 1000;

/** `prompt` is the question to lead to, `answer` the signed answer of a notice's link. */
export function runSearch(search: Record<string, unknown>) {
  const prompt = textParam(search, 'prompt', 36)?.toLowerCase();
  const known = prompt !== undefined && isUuid(prompt) ? prompt : undefined;
  return checkedSearch({
    prompt: known,
    // Without its question an answer means nothing, and half of one would only be refused.
    answer: known === undefined ? undefined : wholeText(search, 'answer', ANSWER_MAX),
  });
}

export type RunSearch = ReturnType<typeof runSearch>;

function wholeText(search: Record<string, unknown>, name: string, maxLength: number): string | undefined {
  const text = textParam(search, name, maxLength + 1);
  return text !== undefined && text.length > maxLength ? undefined : text;
}
