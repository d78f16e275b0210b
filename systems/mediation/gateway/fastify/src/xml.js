/**
 * Writes XML with the builder of fast-xml-parser. Its escaping is replaced, since it leaves line ends as they
 * are; and names and characters, which it takes as they come, are checked here.
 */

import Builder from 'fast-xml-builder';
import { qname } from 'xml-name-validator';

import { BadBody } from './errors.js';

const NOT_A_CHARACTER = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

const REFERENCES = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

// Keys of the builder's tree that are no names of XML, so that no element can be taken for them.
const TEXT = '#text';
const ATTRIBUTES = ':@';

const builder = new Builder({
  preserveOrder: true,
  textNodeName: TEXT,
  attributeNamePrefix: '',
  ignoreAttributes: false,
  processEntities: false,
  tagValueProcessor: (name, value) => escape(value, /[&<>\r]/g),
  attributeValueProcessor: (name, value) => escape(value, /[&<>"\t\n\r]/g),
  maxNestedTags: Infinity, // The conversion has a limit of its own.
});

/** An element for `document`: attributes are pairs of name and value, children what `element` and `text` made. */
export function element(name, attributes, children) {
  const node = { [checkName(name)]: children };
  if (attributes.length > 0) {
    node[ATTRIBUTES] = Object.fromEntries(
      attributes.map(([attribute, value]) => [checkName(attribute), value]),
    );
  }
  return node;
}

export function text(value) {
  return { [TEXT]: value };
}

/** The text of the document whose root this is. */
export function document(root) {
  return builder.build([root]);
}

/** Parts a name into its prefix, which may be empty, and the rest. */
export function splitName(name) {
  const colonAt = name.indexOf(':');
  return [name.slice(0, Math.max(colonAt, 0)), name.slice(colonAt + 1)];
}

function checkName(name) {
  // A key may be as long as the body, and the message is short.
  if (!qname(name)) throw new BadBody(`XML has no name ${JSON.stringify(name.slice(0, 40))}`);
  return name;
}

function escape(value, special) {
  if (NOT_A_CHARACTER.test(value)) throw new BadBody('XML does not have a character of the body');
  return value.replace(special, (character) => REFERENCES[character]);
}
