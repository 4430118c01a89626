/** The thread that reads one portion of Sigma rules and ends. Its own bundle in a build. */
import { parentPort, workerData } from 'node:worker_threads';
import { readSigma, type SigmaOrder } from './sigma-documents.ts';

parentPort?.postMessage(readSigma(workerData as SigmaOrder));
