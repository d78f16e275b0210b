/** JSON to XML: the rule of the SPEC (TR-6 to TR-12), from a parsed value to the text of a document. */

import { BadBody } from './errors.js';
import { numberText } from './json.js';
import { DOCUMENT_SCOPE, checkNames, innerScope } from './namespaces.js';
import { document, element, text } from './xml.js';

const ROOT = 'root';
const ITEM = 'item';
const ATTRIBUTE_MARK = '@';
const CONTENT = '#content';

// Well above what the SPEC asks for, and well below what the call stack takes.
const MAXIMUM_DEPTH = 512;

/** The document, or throws BadBody. */
export function convert(value) {
  if (!Array.isArray(value) && !(isObject(value) && Object.keys(value).length > 0)) {
    throw new BadBody('only an array, or an object with members, makes a document');
  }
  const [name, content] = onlyElement(value) ?? [ROOT, value];
  return document(elementOf(name, content, DOCUMENT_SCOPE, 0));
}

/** The member that is the document by itself (TR-10), if there is one. */
function onlyElement(value) {
  if (Array.isArray(value)) return undefined;
  const members = membersOf(value);
  const [[key, content]] = members;
  return members.length === 1 && isName(key) && !Array.isArray(content) ? members[0] : undefined;
}

function elementOf(name, value, outer, depth) {
  if (depth > MAXIMUM_DEPTH) throw new BadBody('the body has too many levels');
  const members = isObject(value) ? membersOf(value) : [];
  const attributes = attributesOf(members);
  const scope = innerScope(attributes, outer);
  checkNames(name, attributes, scope);
  if (Array.isArray(value)) {
    return element(name, attributes, entriesOf(ITEM, value, scope, depth + 1));
  }
  if (isObject(value)) return element(name, attributes, childrenOf(members, scope, depth + 1));
  return element(name, attributes, [text(textOf(value))]);
}

function childrenOf(members, scope, depth) {
  return members.flatMap(([key, value]) => {
    if (key === CONTENT) return text(textOf(value));
    if (Array.isArray(value)) return entriesOf(key, value, scope, depth);
    return isName(key) ? elementOf(key, value, scope, depth) : [];
  });
}

function entriesOf(name, entries, scope, depth) {
  return entries.map((entry) => elementOf(name, entry, scope, depth));
}

function membersOf(object) {
  return Object.entries(object).map(([key, value]) => [key.replace(/^ +| +$/g, ''), value]);
}

function attributesOf(members) {
  return members
    .filter(([key]) => key.startsWith(ATTRIBUTE_MARK))
    .map(([key, value]) => [key.slice(ATTRIBUTE_MARK.length), textOf(value)]);
}

function isName(key) {
  return key !== CONTENT && !key.startsWith(ATTRIBUTE_MARK);
}

function textOf(value) {
  if (value === null) return '';
  if (typeof value === 'object') {
    throw new BadBody(`an attribute or ${CONTENT} is an object or an array`);
  }
  return typeof value === 'number' ? numberText(value) : String(value);
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
