/**
 * The booking system's service on Express. Clubs offer facilities, players reserve them; the rows are in PostgreSQL. SPEC.md of
 * the system says how.
 */

import { pino } from 'pino';

import { type Config, ConfigurationError, readConfig } from './config.js';
import { openStore } from './data/open_store.js';
import { Hasher } from './hasher.js';
import { createServer, listen, stop } from './server.js';
import { createService } from './service.js';
import { Tokens } from './tokens.js';

const EXIT_DONE = 0;
const EXIT_FAILED = 1;
const EXIT_CONFIGURATION = 2;

const STDERR = 2;
// How long requests in flight may still take after the stop was asked for: less than 5 s, since ending takes time, too.
const SHUTDOWN_GRACE_MS = 4_500;

const now = () => Date.now();

async function run({ host, port, logLevel, database, tokens, passwordCost }: Config) {
  const log = pino({ level: logLevel }, pino.destination({ dest: STDERR, sync: true }));
  const store = openStore(database);
  const hasher = new Hasher(passwordCost);
  const server = createServer(
    createService({ store, hasher, tokens: await Tokens.create(tokens, now), now, log }),
  );
  const finish = async () => {
    await hasher.close();
    process.exit(EXIT_DONE);
  };
  const stopSoon = async () => {
    // What is still open when the grace is spent ends with the process.
    setTimeout(() => void finish(), SHUTDOWN_GRACE_MS).unref();
    await stop(server);
    store.close();
    await finish();
  };
  process.once('SIGTERM', () => void stopSoon());
  process.once('SIGINT', () => void stopSoon());
  try {
    console.log(`listening on ${host}:${await listen(server, host, port)}`);
  } catch (error) {
    await hasher.close();
    throw error;
  }
}

function end(error: unknown): never {
  console.error(`booking: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(error instanceof ConfigurationError ? EXIT_CONFIGURATION : EXIT_FAILED);
}

try {
  await run(readConfig(process.env));
} catch (error) {
  end(error);
}
