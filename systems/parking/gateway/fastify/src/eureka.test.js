import assert from 'node:assert/strict';
import { test } from 'node:test';

import { originsOf } from './eureka.js';

const UP = { hostName: '127.0.0.1', status: 'UP' };

const LIST = JSON.stringify({
  applications: {
    versions__delta: '1',
    application: [
      { name: 'OTHER', instance: [{ ...UP, port: { $: 1, '@enabled': 'true' } }] },
      {
        name: 'USERS',
        instance: [
          { ...UP, port: { $: 2, '@enabled': 'true' }, securePort: { $: 3, '@enabled': 'false' } },
          { ...UP, port: { $: 4, '@enabled': 'false' }, securePort: { $: 5, '@enabled': 'true' } },
          { ...UP, status: 'DOWN', port: { $: 6, '@enabled': 'true' } },
          { ...UP, hostName: '::1', port: { $: '8', '@enabled': true } },
          { ...UP, hostName: '', port: { $: 9, '@enabled': 'true' } },
          { ...UP, hostName: 'a/b', port: { $: 9, '@enabled': 'true' } },
          { ...UP, port: { $: 70000, '@enabled': 'true' } },
          { ...UP, port: { $: 2, '@enabled': 'true' } },
          UP,
          null,
        ],
      },
      null,
    ],
  },
});

test('the instances that are up are found, by what the leg speaks', () => {
  for (const protocol of ['h1c', 'h2c']) {
    assert.deepEqual(originsOf(LIST, protocol), ['http://127.0.0.1:2', 'http://[::1]:8']);
  }
  for (const protocol of ['h1', 'h2']) {
    assert.deepEqual(originsOf(LIST, protocol), ['https://127.0.0.1:5']);
  }
});

test('a list may be empty', () => {
  for (const applications of [{}, { application: [] }, { application: [{ name: 'USERS' }] }]) {
    assert.deepEqual(originsOf(JSON.stringify({ applications }), 'h1c'), []);
  }
});

for (const text of ['', '{}', 'null', '[]', '{"applications":5}', '<applications/>']) {
  test(`${text} is no list, and is not shown`, () => {
    assert.throws(
      () => originsOf(text, 'h1c'),
      ({ message }) => message.startsWith('its answer ') && !message.includes('<'),
    );
  });
}
