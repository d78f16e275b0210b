/**
 * The mediation system's gateway on Express, undici and node:http2. It passes requests on to its
 * upstream, as they are or as XML; SPEC.md of the system says how. It leaves out whatever the scenarios
 * do not ask for: routing tables, retries, caches, metrics.
 */

import { ConfigurationError, readConfig } from './config.js';
import { createGateway } from './gateway.js';
import { createServer } from './server.js';

const EXIT_DONE = 0;
const EXIT_FAILED = 1;
const EXIT_CONFIGURATION = 2;

// How long requests in flight may still take after the stop was asked for.
const SHUTDOWN_GRACE_MS = 5_000;
// Above the users of any workload, so that none is refused while the event loop is busy.
const BACKLOG = 1024;

function run(config) {
  const gateway = createGateway(config.upstream, logLine);
  const { server, stop } = createServer(config, gateway.listener);
  server.on('error', (error) => end(EXIT_FAILED, error.message));
  server.listen({ host: config.host, port: config.port, backlog: BACKLOG }, () => {
    const { address, port } = server.address();
    console.log(`listening on ${address}:${port}`);
    console.log(`ready after ${performance.now().toFixed(1)} ms`);
  });
  const stopSoon = () => {
    stop(() => gateway.close());
    // The grace is spent: what is still open ends with the process.
    setTimeout(() => process.exit(EXIT_DONE), SHUTDOWN_GRACE_MS).unref();
  };
  process.once('SIGTERM', stopSoon);
  process.once('SIGINT', stopSoon);
}

function logLine(message) {
  console.error(`gateway: ${message}`);
}

function end(code, message) {
  logLine(message);
  process.exit(code);
}

try {
  run(readConfig(process.env));
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  end(EXIT_CONFIGURATION, error.message);
}
