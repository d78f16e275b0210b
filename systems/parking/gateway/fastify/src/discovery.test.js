import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Complaints } from './complaints.js';
import { Discovery } from './discovery.js';
import { recorder } from './stand.js';

const LIST = JSON.stringify({
  applications: {
    application: [
      {
        name: 'USERS',
        instance: [{ hostName: 'a', status: 'UP', port: { $: 1, '@enabled': 'true' } }],
      },
    ],
  },
});

test('it asks again and again, and the last list stays while none comes', async (t) => {
  const answers = [
    [200, LIST],
    [500, ''],
    [200, '<'],
    [200, '{"applications":{}}'],
  ];
  const registry = await recorder(t, (request, response) => {
    const [status, text] = answers[registry.requests.length - 1];
    response.writeHead(status).end(text);
  });
  const [lines, lists] = [[], []];
  const stopped = new Promise((resolve) => {
    const instances = {
      replace(origins) {
        lists.push(origins);
        if (lists.length === 2) resolve();
      },
    };
    const complaints = new Complaints(
      (line) => lines.push(line),
      () => lines.length * 1_000,
    );
    const discovery = new Discovery(registry.origin, 'h1c', instances, complaints);
    assert.equal(discovery.hasList, false);
    discovery.run();
    t.after(() => discovery.stop());
  });
  await stopped;
  assert.deepEqual(lists, [['http://a:1'], []]);
  assert.deepEqual(lines, [
    'no list of instances came: it answered 500',
    'no list of instances came: its answer is no JSON',
  ]);
  const [{ url, headers }] = registry.requests;
  assert.deepEqual([url, headers.accept], ['/eureka/apps', 'application/json']);
});

test('a registry that is not there is complained of, and holds up no end', async () => {
  const lines = [];
  let complain;
  const complained = new Promise((resolve) => (complain = resolve));
  const complaints = new Complaints((line) => complain(lines.push(line)));
  const discovery = new Discovery('http://127.0.0.1:1', 'h1c', { replace() {} }, complaints);
  discovery.run();
  await complained;
  discovery.stop();
  assert.equal(discovery.hasList, false);
  assert.match(lines[0], /^no list of instances came: /);
});
