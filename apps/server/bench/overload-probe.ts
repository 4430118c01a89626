/** A few senders in a process of their own. */

import { sendUntilOver } from './overload-senders.ts';
import { answerOptions } from './own-process.ts';

await answerOptions(sendUntilOver);
