/**
 * The mediation system's gateway on Express and undici. It passes POST /passthrough on to its
 * upstream; SPEC.md of the system says how. It leaves out whatever the scenarios do not ask for:
 * routing tables, retries, caches, metrics.
 */

import { createServer } from 'node:http';

import { ConfigurationError, readConfig } from './config.js';
import { createGateway } from './gateway.js';

const EXIT_FAILED = 1;
const EXIT_CONFIGURATION = 2;

// A client that opens a connection and sends no request must not hold it for ever.
const HEADERS_TIMEOUT_MS = 10_000;
// Longer than any pause between two requests of a load.
const KEEP_ALIVE_TIMEOUT_MS = 60_000;
// How long requests in flight may still take after the stop was asked for.
const SHUTDOWN_GRACE_MS = 5_000;
// How soon after its last answer a connection is ended then.
const IDLE_CHECK_MS = 20;
// Above the users of any workload, so that none is refused while the event loop is busy.
const BACKLOG = 1024;

function run(config) {
  const gateway = createGateway(config.upstream, logLine);
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS },
    gateway.app,
  );
  server.on('error', (error) => end(EXIT_FAILED, error.message));
  server.listen({ host: config.host, port: config.port, backlog: BACKLOG }, () => {
    const { address, port } = server.address();
    console.log(`listening on ${address}:${port}`);
    console.log(`ready after ${performance.now().toFixed(1)} ms`);
  });
  const stop = () => {
    server.close(() => gateway.close());
    // `close` ends the connections that are idle; these become so with their last answer.
    setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS).unref();
    setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE_MS).unref();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
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
