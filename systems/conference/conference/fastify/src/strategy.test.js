import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';

import { STRATEGIES } from './strategy.js';

const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** A client that answers a name by itself in capitals; `asked` is what it was asked for. */
class FakeCountry {
  asked = [];
  inFlight = 0;
  peak = 0;

  constructor(failing) {
    this.failing = failing;
  }

  async one(name, signal) {
    if (signal.aborted) throw new Error('cancelled');
    this.asked.push(name);
    this.inFlight += 1;
    this.peak = Math.max(this.peak, this.inFlight);
    await nextTurn();
    this.inFlight -= 1;
    if (name === this.failing) throw new Error(`no ${name}`);
    return name.toUpperCase();
  }

  async batch(names) {
    this.asked.push(names.join(''));
    return names.map((name) => name.toUpperCase());
  }
}

async function lookUp(strategy, country, names = NAMES) {
  const sizes = { width: 2, batchSize: 2 };
  return STRATEGIES[strategy](names, country, new AbortController(), sizes);
}

for (const [strategy, peak, asked] of [
  ['sequential', 1, NAMES],
  ['concurrent', 2, NAMES],
  ['batched', 0, ['ab', 'cd', 'e']],
]) {
  test(`${strategy} looks every name up, in its way`, async () => {
    const country = new FakeCountry();
    assert.deepEqual(await lookUp(strategy, country), ['A', 'B', 'C', 'D', 'E']);
    assert.deepEqual([country.peak, country.asked], [peak, asked]);
  });

  test(`${strategy} asks nothing without names`, async () => {
    const country = new FakeCountry();
    assert.deepEqual(await lookUp(strategy, country, []), []);
    assert.deepEqual(country.asked, []);
  });
}

for (const [strategy, asked] of [
  ['sequential', ['a', 'b']],
  ['concurrent', ['a', 'b', 'c']], // c began before b had failed
]) {
  test(`${strategy} ends with the first failure`, async () => {
    const country = new FakeCountry('b');
    await assert.rejects(lookUp(strategy, country), /no b/);
    assert.deepEqual(country.asked, asked);
  });
}
