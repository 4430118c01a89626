/** The thread that lays one case out and ends. Its own bundle in a build. */
import { parentPort, workerData } from 'node:worker_threads';
import { layOutCase } from './case-document.ts';
import type { CaseDocumentOrder } from './case-document-order.ts';

parentPort?.postMessage(await layOutCase(workerData as CaseDocumentOrder));
