/** JSON to XML: the rule of the SPEC (TR-6 to TR-12), from a parsed value to the text of a document. */

import { BadBody } from './errors.js';
import { numberText } from './json.js';
import { DOCUMENT_SCOPE, checkNames, innerScope } from './namespaces.js';
import { XmlWriter } from './xml.js';

const ROOT = 'root';
const ITEM = 'item';
const ATTRIBUTE_MARK = '@';
const CONTENT = '#content';

// Well above what the SPEC asks for, and well below what the call stack of any runtime takes.
const MAXIMUM_DEPTH = 512;

/** The document, or throws BadBody. */
export function convert(value) {
  const writer = new XmlWriter();
  if (Array.isArray(value)) {
    writeElement(writer, ROOT, value, DOCUMENT_SCOPE, 0);
    return writer.document;
  }
  if (!isObject(value) || Object.keys(value).length === 0) {
    throw new BadBody('only an array, or an object with members, makes a document');
  }
  const members = readMembers(value);
  const [[key, first]] = members;
  const isElement = key !== CONTENT && !key.startsWith(ATTRIBUTE_MARK);
  if (members.length === 1 && isElement && !Array.isArray(first)) {
    writeElement(writer, key, first, DOCUMENT_SCOPE, 0);
  } else {
    writeElement(writer, ROOT, value, DOCUMENT_SCOPE, 0);
  }
  return writer.document;
}

function writeElement(writer, name, value, outer, depth) {
  if (depth > MAXIMUM_DEPTH) throw new BadBody('the body has too many levels');
  const members = isObject(value) ? readMembers(value) : [];
  const attributes = readAttributes(members);
  const scope = innerScope(attributes, outer);
  checkNames(name, attributes, scope);
  writer.start(name, attributes);
  if (Array.isArray(value)) writeEntries(writer, ITEM, value, scope, depth + 1);
  else if (isObject(value)) writeMembers(writer, members, scope, depth + 1);
  else writer.text(textOf(value));
  writer.end(name);
}

function writeMembers(writer, members, scope, depth) {
  for (const [key, value] of members) {
    if (key === CONTENT) writer.text(textOf(value));
    else if (Array.isArray(value)) writeEntries(writer, key, value, scope, depth);
    else if (!key.startsWith(ATTRIBUTE_MARK)) writeElement(writer, key, value, scope, depth);
  }
}

function writeEntries(writer, name, entries, scope, depth) {
  for (const entry of entries) writeElement(writer, name, entry, scope, depth);
}

function readMembers(object) {
  return Object.entries(object).map(([key, value]) => [trimSpaces(key), value]);
}

function readAttributes(members) {
  return members
    .filter(([key]) => key.startsWith(ATTRIBUTE_MARK))
    .map(([key, value]) => [key.slice(ATTRIBUTE_MARK.length), textOf(value)]);
}

function trimSpaces(key) {
  return key.replace(/^ +| +$/g, '');
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
