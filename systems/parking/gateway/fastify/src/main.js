/**
 * The parking system's gateway on Fastify, undici, node:http2 and fast-jwt. It checks tokens and passes requests on to
 * the instances of users; SPEC.md of the system says how.
 */

import { Complaints } from './complaints.js';
import { readConfig } from './config.js';
import { Discovery } from './discovery.js';
import { ConfigurationError } from './environment.js';
import { createGateway } from './gateway.js';
import { Instances } from './instances.js';
import { upstreamsOf } from './upstream.js';

const EXIT_DONE = 0;
const EXIT_FAILED = 1;
const EXIT_CONFIGURATION = 2;

// How long requests in flight may still take after the stop was asked for: less than 5 s, since ending takes time, too.
const SHUTDOWN_GRACE_MS = 4_500;
// Above the users of any workload, so that none is refused while the event loop is busy.
const BACKLOG = 1024;

async function run(config) {
  const complaints = new Complaints(log);
  const instances = new Instances(upstreamsOf(config.upstream));
  const discovery = findInstances(config, instances, complaints);
  const isReady = () => discovery === null || discovery.hasList;
  const gateway = createGateway(config, { instances, isReady, complaints }, log);
  // Not by close-with-grace: it exits with 1 when the grace is spent.
  const stop = async () => {
    // What is still open when the grace is spent ends with the process.
    setTimeout(() => process.exit(EXIT_DONE), SHUTDOWN_GRACE_MS).unref();
    discovery?.stop();
    await gateway.close();
    process.exit(EXIT_DONE);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await gateway.listen({ host: config.host, port: config.port, backlog: BACKLOG });
  const { address: host, port } = gateway.server.address();
  console.log(`listening on ${host}:${port}`);
  discovery?.run();
}

/** What keeps the instances as the registry has them, or nothing where they stay as they were told. */
function findInstances({ instances: { origins, registry }, upstream }, instances, complaints) {
  if (registry !== null) return new Discovery(registry, upstream.protocol, instances, complaints);
  instances.replace(origins);
  return null;
}

function log(line) {
  console.error(`gateway: ${line}`);
}

try {
  await run(readConfig(process.env));
} catch (error) {
  log(error.message);
  process.exit(error instanceof ConfigurationError ? EXIT_CONFIGURATION : EXIT_FAILED);
}
