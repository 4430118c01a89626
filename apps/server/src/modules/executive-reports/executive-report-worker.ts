/** The thread that lays one report out and ends. Its own bundle in a build. */
import { parentPort, workerData } from 'node:worker_threads';
import { layOutReport, type ReportOrder } from './pdf/report-document.ts';

parentPort?.postMessage(await layOutReport(workerData as ReportOrder));
