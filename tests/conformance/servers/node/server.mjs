// A server of Node's http, https and http2 for the conformance tests, on one free port for each
// protocol. Its only argument is the folder with server.pem and server.key; its only line of output
// is a JSON object from protocol to port.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { join } from 'node:path';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

// The end of a body names its length, so that a wrong or cut body cannot pass for the right one.
function bodyOf(length) {
  if (length === 0) return Buffer.alloc(0);
  const marker = `|end of ${length} bytes|`;
  return Buffer.concat([Buffer.alloc(length - marker.length, LETTERS), Buffer.from(marker)]);
}

function answerWithLength(response, body) {
  response.setHeader('content-length', body.length);
  response.end(body);
}

function echo(request, response) {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => answerWithLength(response, Buffer.concat(parts)));
}

function handle(request, response) {
  const [, kind, number] = request.url.split('/');
  const body = ['bytes', 'chunked', 'close'].includes(kind) ? bodyOf(Number(number)) : undefined;
  if (kind === 'bytes') return answerWithLength(response, body);
  if (kind === 'echo') return echo(request, response);
  if (kind === 'status') return response.writeHead(Number(number)).end();
  if (kind === 'close') {
    // Without a length and without chunks only the end of the connection ends the body.
    response.shouldKeepAlive = false;
    response.removeHeader('transfer-encoding');
  }
  // What is flushed before the end is known has no length.
  response.writeHead(200);
  response.flushHeaders();
  if (request.method !== 'HEAD') response.write(body);
  return response.end();
}

const folder = process.argv[2];
const identity = {
  cert: readFileSync(join(folder, 'server.pem')),
  key: readFileSync(join(folder, 'server.key')),
};
// In MB: of the default of 10, one large body leaves no second stream anything.
const roomy = { maxSessionMemory: 1000 };
const servers = {
  h1c: http.createServer(handle),
  h1: https.createServer(identity, handle),
  h2c: http2.createServer(roomy, handle),
  h2: http2.createSecureServer({ ...identity, ...roomy }, handle),
};

const ports = {};
for (const [protocol, server] of Object.entries(servers)) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  ports[protocol] = server.address().port;
}
console.log(JSON.stringify(ports));
