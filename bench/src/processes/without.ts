import { register } from 'node:module';

// Imported before a process of the benchmark: one optimisation is taken out of the sources as they are loaded.
register('./without-hook.js', import.meta.url, { data: JSON.parse(process.env.A2C_BENCH_WITHOUT ?? '[]') });
