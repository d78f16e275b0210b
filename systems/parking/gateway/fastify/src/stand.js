/** What the tests of the gateway need: recorders in the place of users, and a gateway before them. */

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as requestHttp1 } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';

import { Complaints } from './complaints.js';
import { createGateway } from './gateway.js';
import { Instances } from './instances.js';
import { upstreamsOf } from './upstream.js';

const HOST = '127.0.0.1';
const SECRET = 'loadstone-park-secret-for-tests-only';
const CLAIMS = { iss: 'park-users', sub: '7', role: 'CUSTOMER', exp: 4_102_444_800 };

export const ORIGIN = 'https://park.example';
export const TOKEN = { authorization: `Bearer ${sign(CLAIMS)}` };

/** An origin where nobody listens. */
export const NOWHERE = 'http://127.0.0.1:1';

/**
 * A recorder that answers by `answer`, a listener of node:http, or of node:http2 where `isHttp2`. `requests` are those
 * that came, and `connections` counts.
 */
export async function recorder(t, answer, isHttp2 = false) {
  const requests = [];
  const recorded = { requests, connections: 0, origin: '' };
  const create = isHttp2 ? createHttp2Server : createServer;
  const server = create((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  const open = new Set();
  server.on('connection', (socket) => {
    recorded.connections += 1;
    open.add(socket);
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  t.after(() => {
    server.close();
    open.forEach((socket) => socket.destroy());
  });
  recorded.origin = `http://127.0.0.1:${server.address().port}`;
  return recorded;
}

/** A gateway before some origins; `lines` is what it has logged. */
export async function gatewayBefore(t, origins, options = {}) {
  const { client = 'h1c', upstream = 'h1c', limitMs = 5_000, isReady = () => true } = options;
  const lines = [];
  const log = (line) => lines.push(line);
  const leg = { protocol: upstream, authority: null, limitMs };
  const config = {
    client: { protocol: client, keyPair: null },
    upstream: leg,
    secret: SECRET,
    allowedOrigin: ORIGIN,
  };
  const instances = new Instances(upstreamsOf(leg));
  instances.replace(origins);
  const parts = { instances, isReady, complaints: new Complaints(log) };
  const gateway = createGateway(config, parts, log);
  await gateway.listen({ host: HOST, port: 0 });
  t.after(() => {
    instances.replace([]);
    return gateway.close();
  });
  const { port } = gateway.server.address();
  return { port, lines, close: () => gateway.close() };
}

/** Sends a request over HTTP/1.1, as node:http takes it, and returns its answer, with the text of its body. */
export async function ask({ port }, method, path, headers = TOKEN, body = undefined) {
  const request = requestHttp1({ host: HOST, port, method, path, headers, agent: false });
  request.end(body);
  const [response] = await once(request, 'response');
  const text = (await response.setEncoding('latin1').toArray()).join('');
  return { status: response.statusCode, headers: response.headers, raw: response.rawHeaders, text };
}

/** A function that sends requests on one connection of HTTP/2. */
export function callerOverHttp2(t, { port }) {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  t.after(() => session.destroy());
  return async (method, path, headers = TOKEN, body = undefined) => {
    const stream = session.request({ ':method': method, ':path': path, ...headers });
    stream.end(body);
    const [head] = await once(stream, 'response');
    const text = (await stream.setEncoding('latin1').toArray()).join('');
    return { status: head[':status'], headers: head, text };
  };
}

/** Answers with the body of the request. */
export function echo(request, response) {
  request.pipe(response);
}

function sign(claims) {
  const [header, payload] = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signature = createHmac('sha256', SECRET).update(`${header}.${payload}`).digest('base64url');
  return `${header}.${payload}.${signature}`;
}
