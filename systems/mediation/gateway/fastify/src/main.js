/**
 * The mediation system's gateway on Fastify and @fastify/reply-from. It passes requests on to its upstream, as
 * they are or as XML; SPEC.md of the system says how.
 */

import { ConfigurationError, readConfig } from './config.js';
import { createGateway } from './gateway.js';

const EXIT_DONE = 0;
const EXIT_FAILED = 1;
const EXIT_CONFIGURATION = 2;

// How long requests in flight may still take after the stop was asked for.
const SHUTDOWN_GRACE_MS = 5_000;
// Above the users of any workload, so that none is refused while the event loop is busy.
const BACKLOG = 1024;

async function run(config) {
  const gateway = createGateway(config, process.stderr);
  // Not by close-with-grace: it exits with 1 when the grace is spent, and under Deno at the first signal.
  const stop = async () => {
    // What is still open when the grace is spent ends with the process.
    setTimeout(() => process.exit(EXIT_DONE), SHUTDOWN_GRACE_MS).unref();
    await gateway.close();
    process.exit(EXIT_DONE);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await gateway.listen({ host: config.host, port: config.port, backlog: BACKLOG });
  const { address, port } = gateway.server.address();
  console.log(`listening on ${address}:${port}`);
}

function end(code, message) {
  console.error(`gateway: ${message}`);
  process.exit(code);
}

try {
  await run(readConfig(process.env));
} catch (error) {
  end(error instanceof ConfigurationError ? EXIT_CONFIGURATION : EXIT_FAILED, error.message);
}
