/**
 * The booking system's service on Fastify, pg, fast-jwt and bcrypt. It keeps clubs, facilities and reservations in
 * PostgreSQL; SPEC.md of the system says how.
 */

import { ConfigurationError, readConfig } from './config.js';
import { Passwords } from './passwords.js';
import { createService } from './service.js';
import { openStore } from './store.js';
import { Tokens } from './tokens.js';

const EXIT_DONE = 0;
const EXIT_FAILED = 1;
const EXIT_CONFIGURATION = 2;

// How long requests in flight may still take after the stop was asked for: less than 5 s, since ending takes time, too.
const SHUTDOWN_GRACE_MS = 4_500;
// Above the users of any workload, so that none is refused while the event loop is busy.
const BACKLOG = 1024;

async function run(config) {
  const store = openStore(config.database);
  const tokens = new Tokens(config.tokens);
  const passwords = new Passwords(config.passwordCost);
  const { logLevel } = config;
  const service = createService({ store, tokens, passwords, logLevel }, process.stderr);
  // Not by close-with-grace: it exits with 1 when the grace is spent, and under Deno at the first signal.
  const stop = async () => {
    // What is still open when the grace is spent ends with the process.
    setTimeout(() => process.exit(EXIT_DONE), SHUTDOWN_GRACE_MS).unref();
    await service.close();
    process.exit(EXIT_DONE);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await service.listen({ host: config.host, port: config.port, backlog: BACKLOG });
  const { address, port } = service.server.address();
  console.log(`listening on ${address}:${port}`);
}

function end(code, message) {
  console.error(`booking: ${message}`);
  process.exit(code);
}

try {
  await run(readConfig(process.env));
} catch (error) {
  end(error instanceof ConfigurationError ? EXIT_CONFIGURATION : EXIT_FAILED, error.message);
}
