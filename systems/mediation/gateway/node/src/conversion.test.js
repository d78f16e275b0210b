import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BadBody } from './errors.js';
import { convert } from './conversion.js';

const DOCUMENTS = [
  [
    '{"size":"50B","payload":["a","b"]}',
    '<root><size>50B</size><payload>a</payload><payload>b</payload></root>',
  ],
  ['{"a":{"b":null,"c":true}}', '<a><b></b><c>true</c></a>'],
  ['{" a ":{}}', '<a></a>'],
  ['{"a":[]}', '<root></root>'],
  [
    '[1,[2,[3]]]',
    '<root><item>1</item><item><item>2</item><item><item>3</item></item></item></root>',
  ],
  ['{"a":[[1],2]}', '<root><a><item>1</item></a><a>2</a></root>'],
  ['{"a":{"b":1,"@c":"2","#content":"d"}}', '<a c="2"><b>1</b>d</a>'],
  ['{"@a":null}', '<root a=""></root>'],
  ['{"#content":"a"}', '<root>a</root>'],
  ['{"a":"<&>\\r\\n\\t\\"]]>"}', '<a>&lt;&amp;&gt;&#13;\n\t"]]&gt;</a>'],
  ['{"@a":"<&\\r\\n\\t\\""}', '<root a="&lt;&amp;&#13;&#10;&#9;&quot;"></root>'],
  ['{"a":"&lt;"}', '<a>&amp;lt;</a>'],
  ['{"p:a":1,"@xmlns:p":"urn:a"}', '<root xmlns:p="urn:a"><p:a>1</p:a></root>'],
  ['{"p:a":{"@xmlns:p":"urn:a","@xml:lang":"en"}}', '<p:a xmlns:p="urn:a" xml:lang="en"></p:a>'],
  [
    '{"@xmlns:constructor":"urn:a","constructor:a":1}',
    '<root xmlns:constructor="urn:a"><constructor:a>1</constructor:a></root>',
  ],
];

for (const [json, document] of DOCUMENTS) {
  test(`${json} becomes ${document}`, () => {
    assert.equal(convert(JSON.parse(json)), document);
  });
}

for (const json of [
  '1',
  'null',
  '"a"',
  '{}',
  '{"":1}',
  '{"a b":1}',
  '{"1":1}',
  '{"a:b:c":1}',
  '{":a":1}',
  '{"@":1}',
  '{"@a":{}}',
  '{"a":{"#content":[]}}',
  '{"a":"\\u0000"}',
  '{"a":"\\ud800"}',
  '{"@a":"\\uffff"}',
  '{"p:a":1}',
  '{"constructor:a":1}',
  '{"@p:a":1}',
  '{"@xmlns:p":""}',
  '{"@xmlns:xmlns":"urn:a"}',
  '{"@a":1,"@a ":2}',
  '{"@xmlns:p":"urn:a","@xmlns:q":"urn:a","@p:a":1,"@q:a":2}',
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
]) {
  test(`${json.slice(0, 60)} makes no document`, () => {
    assert.throws(() => convert(JSON.parse(json)), BadBody);
  });
}

test('a hundred levels are converted', () => {
  const json = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`;
  assert.equal(convert(JSON.parse(json)), `${'<a>'.repeat(100)}1${'</a>'.repeat(100)}`);
});
