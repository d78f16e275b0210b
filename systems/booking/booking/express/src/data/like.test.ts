import assert from 'node:assert/strict';
import { test } from 'node:test';

import { partPattern } from './like.js';

test('each character of a part stands for itself', () => {
  assert.equal(partPattern('a b'), '%a b%');
  assert.equal(partPattern('%_\\'), '%\\%\\_\\\\%');
});
