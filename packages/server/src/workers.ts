export { WorkerLink } from './workers/link.ts';
export { WorkerError, WorkerPool, type WorkerPoolOptions } from './workers/pool.ts';
