/**
 * The parking system's users on Fastify, pg, fast-jwt and bcrypt. It keeps accounts, vehicles and wallets in PostgreSQL;
 * SPEC.md of the system says how.
 */

import { Complaints } from './complaints.js';
import { readConfig } from './config.js';
import { ConfigurationError } from './environment.js';
import { Passwords } from './passwords.js';
import { isOverTls } from './protocol.js';
import { Registrar } from './registrar.js';
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
  const complaints = new Complaints(log);
  const parts = {
    store: openStore(config.database, complaints),
    passwords: new Passwords(),
    tokens: new Tokens(config.tokens),
    internalKey: config.internalKey,
    complaints,
  };
  const service = createService(config, parts, log);
  let registrar;
  // Not by close-with-grace: it exits with 1 when the grace is spent.
  const stop = async () => {
    // What is still open when the grace is spent ends with the process.
    setTimeout(() => process.exit(EXIT_DONE), SHUTDOWN_GRACE_MS).unref();
    await Promise.all([registrar?.stop(), service.close()]);
    process.exit(EXIT_DONE);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await service.listen({ host: config.host, port: config.port, backlog: BACKLOG });
  const { address: host, port } = service.server.address();
  console.log(`listening on ${host}:${port}`);
  if (config.registry !== null) {
    const where = { host, port, isSecure: isOverTls(config.protocol) };
    registrar = new Registrar(config.registry, where, complaints);
    registrar.run();
  }
}

function log(line) {
  console.error(`users: ${line}`);
}

try {
  await run(readConfig(process.env));
} catch (error) {
  log(error.message);
  process.exit(error instanceof ConfigurationError ? EXIT_CONFIGURATION : EXIT_FAILED);
}
