import { availableParallelism, freemem, hostname, loadavg, totalmem, uptime } from 'node:os';

const GIB = 1024 ** 3;

/** The state of this machine, as a window of the Desktop shows it. */
export function systemStatus() {
  const used = totalmem() - freemem();
  const lines = [
    ['host', hostname()],
    ['up', duration(uptime())],
    ['load', `${loadavg()[0].toFixed(2)} on ${availableParallelism()} cores`],
    ['memory', `${bar(used / totalmem())} ${(used / GIB).toFixed(1)} of ${(totalmem() / GIB).toFixed(1)} GiB`],
    ['time', new Date().toISOString().replace('T', ' ').slice(0, 19)],
  ];
  return lines.map(([name, value]) => `${name.padEnd(8)}${value}`).join('\n');
}

function bar(share) {
  const full = Math.round(share * 10);
  return '█'.repeat(full) + '░'.repeat(10 - full);
}

function duration(seconds) {
  const [days, hours, minutes] = [seconds / 86_400, (seconds / 3600) % 24, (seconds / 60) % 60].map(Math.floor);
  return `${days > 0 ? `${days} d ` : ''}${hours} h ${minutes} min`;
}
