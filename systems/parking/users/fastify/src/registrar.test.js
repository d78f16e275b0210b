import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { Complaints } from './complaints.js';
import { Registrar } from './registrar.js';
import { registrationOf } from './registration.js';

const WHERE = { host: '127.0.0.2', port: 8090, isSecure: false };

/** A registry that answers by a list of statuses; `asked` resolves with its next request. */
async function registryOf(t, statuses) {
  const requests = [];
  const waiting = [];
  const server = createServer(async (req, res) => {
    const body = Buffer.concat(await req.toArray()).toString();
    res.writeHead(statuses.shift() ?? 200).end();
    const request = { line: `${req.method} ${req.url}`, body };
    const take = waiting.shift();
    if (take === undefined) requests.push(request);
    else take(request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const asked = () =>
    requests.shift() ?? new Promise((resolve) => waiting.push((request) => resolve(request)));
  return { origin: `http://127.0.0.1:${server.address().port}`, asked };
}

test('it registers as SPEC.md says, sends heartbeats, and deregisters', async (t) => {
  const { origin, asked } = await registryOf(t, [204, 404, 204]);
  const lines = [];
  const registrar = new Registrar(origin, WHERE, new Complaints((line) => lines.push(line)));
  registrar.run();
  const { line, body } = await asked();
  assert.equal(line, 'POST /eureka/apps/USERS');
  assert.deepEqual(JSON.parse(body), registrationOf(WHERE));
  assert.equal((await asked()).line, 'PUT /eureka/apps/USERS/users-8090');
  // It was not known any more.
  assert.equal((await asked()).line, 'POST /eureka/apps/USERS');
  assert.equal((await asked()).line, 'PUT /eureka/apps/USERS/users-8090');
  await registrar.stop();
  assert.equal((await asked()).line, 'DELETE /eureka/apps/USERS/users-8090');
  assert.deepEqual(lines, []);
});

test('a failure is complained of, and tried again', async (t) => {
  const { origin, asked } = await registryOf(t, [500, 204]);
  const lines = [];
  const registrar = new Registrar(origin, WHERE, new Complaints((line) => lines.push(line)));
  registrar.run();
  await asked();
  assert.equal((await asked()).line, 'POST /eureka/apps/USERS');
  assert.deepEqual(lines, ['the registry failed: it answered 500']);
  await registrar.stop();
});

test('a registry that is not there holds up no end', async () => {
  const registrar = new Registrar('http://127.0.0.1:1', WHERE, new Complaints(() => {}));
  registrar.run();
  await registrar.stop();
});

test('the port that is spoken on is enabled', () => {
  const { port, securePort, ...others } = registrationOf({ ...WHERE, isSecure: true }).instance;
  assert.deepEqual(port, { $: 8090, '@enabled': 'false' });
  assert.deepEqual(securePort, { $: 8090, '@enabled': 'true' });
  assert.deepEqual(others, {
    instanceId: 'users-8090',
    hostName: '127.0.0.2',
    app: 'USERS',
    ipAddr: '127.0.0.2',
    vipAddress: 'users',
    status: 'UP',
    dataCenterInfo: {
      '@class': 'com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo',
      name: 'MyOwn',
    },
    leaseInfo: { renewalIntervalInSecs: 1, durationInSecs: 3 },
    metadata: {},
  });
});
