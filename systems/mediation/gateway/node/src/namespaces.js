/** Which prefixes stand for a namespace: a scope inherits from the one around it. */

import { BadBody } from './errors.js';
import { splitName } from './xml.js';

const XML = 'http://www.w3.org/XML/1998/namespace';
const XMLNS = 'http://www.w3.org/2000/xmlns/';

/** What every document has without declaring it; the empty prefix is that of names without one. */
export const DOCUMENT_SCOPE = Object.freeze(
  Object.assign(Object.create(null), { xml: XML, '': '' }),
);

/** The scope inside an element, given its attributes as pairs of name and text. */
export function innerScope(attributes, outer) {
  let scope = outer;
  for (const [name, namespace] of attributes) {
    const prefix = declaredPrefix(name);
    if (prefix === undefined) continue;
    if (!mayDeclare(prefix, namespace)) {
      throw new BadBody('a namespace declaration is not allowed');
    }
    if (scope === outer) scope = Object.create(outer);
    // Not by assignment: an inherited property of a frozen object would refuse it.
    Object.defineProperty(scope, prefix, { value: namespace, configurable: true });
  }
  return scope;
}

/** Throws where a prefix of an element's or its attributes' names is not declared, or an attribute repeated. */
export function checkNames(element, attributes, scope) {
  namespaceOf(splitName(element)[0], scope);
  if (attributes.length === 0) return;
  const seen = new Set();
  for (const [name] of attributes) {
    const [prefix, local] = splitName(name);
    const namespace = prefix === '' ? '' : prefix === 'xmlns' ? XMLNS : namespaceOf(prefix, scope);
    const expanded = JSON.stringify([namespace, local]);
    if (seen.has(expanded)) throw new BadBody('an element has one attribute twice');
    seen.add(expanded);
  }
}

function namespaceOf(prefix, scope) {
  if (!(prefix in scope)) {
    throw new BadBody(`nothing declares the prefix ${JSON.stringify(prefix.slice(0, 40))}`);
  }
  return scope[prefix];
}

function declaredPrefix(name) {
  if (name === 'xmlns') return '';
  return name.startsWith('xmlns:') ? name.slice('xmlns:'.length) : undefined;
}

/**
 * The two reserved prefixes neither change their meaning nor get another name, and only names without
 * prefix can be in no namespace (Namespaces in XML 1.0, 3 and 5).
 */
function mayDeclare(prefix, namespace) {
  if (prefix === 'xmlns' || namespace === XMLNS) return false;
  if (prefix === 'xml' || namespace === XML) return prefix === 'xml' && namespace === XML;
  return prefix === '' || namespace !== '';
}
