/** The thread that lays one case out and ends. Its own bundle in a build. */
import { parentPort, workerData } from 'node:worker_threads';
import { type CaseDocumentOrder, layOutCase } from './case-document.ts';

parentPort?.postMessage(await layOutCase(workerData as CaseDocumentOrder));
