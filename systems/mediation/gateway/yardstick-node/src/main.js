/**
 * Answers every POST /passthrough with its own body, by node:http and nothing else: what an answer costs in
 * Node.js where no gateway is.
 */

import { createServer } from 'node:http';

const server = createServer((req, res) => {
  if (req.url !== '/passthrough' || req.method !== 'POST') {
    res.writeHead(404).end();
    return;
  }
  const parts = [];
  req.on('data', (part) => parts.push(part));
  req.on('end', () => {
    const body = Buffer.concat(parts);
    res.writeHead(200, {
      'Content-Type': req.headers['content-type'],
      'Content-Length': body.length,
    });
    res.end(body);
  });
});

const host = process.env.HOST ?? '127.0.0.1';
server.listen({ host, port: Number(process.env.PORT), backlog: 1024 }, () => {
  console.log(`listening on ${host}:${server.address().port}`);
});
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0));
