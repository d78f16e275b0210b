// What nginx has no words for: which request is served, by whose token, and under which id.

import crypto from 'crypto';

const SECRET = process.env.JWT_SECRET;
const ORIGIN = process.env.ALLOWED_ORIGIN;
const ROLES = ['SUPERVISOR', 'CUSTOMER', 'CUSTOMER_MANAGER', 'PARK_MANAGER', 'DEVICE'];
const OPEN = ['/users', '/users/login'];

/** `preflight`, `up`, `open`, the code of a problem, or the id and the role of who asks. */
function verdict(r) {
    if (r.uri === '/.malformed') { // nginx itself refused the message
        return values(r, 'authorization').length > 1 ? 'token-invalid' : 'malformed';
    }
    const target = r.variables.request_uri || '';
    const path = target.split('?')[0];
    if (isPreflight(r)) {
        return 'preflight';
    }
    if (path === '/health') {
        return r.method === 'GET' || r.method === 'HEAD' ? 'up' : 'method-not-allowed';
    }
    if (hasDots(path)) {
        return 'malformed';
    }
    if (path !== '/users' && !path.startsWith('/users/')) {
        return 'not-found';
    }
    if (r.method === 'POST' && OPEN.includes(path)) {
        return 'open';
    }
    return identity(r);
}

/** A fixed answer, whatever the condition of the request. */
function always(r) {
    if (r.status === 304) {
        r.status = 200;
        r.headersOut['Content-Type'] = 'application/json';
        r.headersOut['Content-Length'] = String('{"status":"up"}'.length);
    }
}

/** That of the caller where there is one alone, and of its form, else a new one. */
function requestId(r) {
    const id = r.headersIn['X-Request-Id'] || ''; // several are joined, and have the form no more
    return /^[A-Za-z0-9-]{8,64}(?![\s\S])/.test(id) ? id : r.variables.request_id;
}

function page(r) {
    return ORIGIN !== undefined && r.headersIn['Origin'] === ORIGIN ? ORIGIN : '';
}

function isPreflight(r) {
    return r.method === 'OPTIONS' && page(r) !== '' && r.headersIn['Access-Control-Request-Method'] !== undefined;
}

function hasDots(path) {
    const segments = path.replace(/%2f|%5c|\\/gi, '/').replace(/%2e/gi, '.').split('/');
    return segments.includes('.') || segments.includes('..');
}

function identity(r) {
    const fields = values(r, 'authorization');
    if (fields.length > 1) {
        return 'token-invalid';
    }
    const found = /^bearer +([^ ].*)$/i.exec(fields[0] || '');
    if (!found) {
        return 'token-missing';
    }
    try {
        return callerOf(found[1].trim());
    } catch (e) {
        return 'token-invalid';
    }
}

function callerOf(token) {
    const parts = token.split('.');
    if (parts.length !== 3 || !parts.every(part => /^[A-Za-z0-9_-]+$/.test(part))) {
        return 'token-invalid';
    }
    // Compared as text: else other last characters would do for the same bytes.
    const signature = crypto.createHmac('sha256', SECRET).update(`${parts[0]}.${parts[1]}`).digest('base64url');
    if (!isSame(signature, parts[2])) {
        return 'token-invalid';
    }
    const header = read(parts[0]);
    const claims = read(parts[1]);
    const isValid = header.alg === 'HS256' && !('crit' in header)
        && claims.iss === 'park-users' && isInTime(claims)
        && typeof claims.sub === 'string' && /^[1-9][0-9]{0,15}(?![\s\S])/.test(claims.sub)
        && ROLES.includes(claims.role);
    return isValid ? `${claims.sub} ${claims.role}` : 'token-invalid';
}

function isInTime(claims) {
    const now = Date.now() / 1000;
    const begun = !('nbf' in claims) || typeof claims.nbf === 'number' && claims.nbf <= now;
    return begun && typeof claims.exp === 'number' && claims.exp > now;
}

/** Takes as long wherever the first difference is. */
function isSame(wanted, given) {
    let difference = wanted.length ^ given.length;
    for (let i = 0; i < wanted.length; i++) {
        difference |= wanted.charCodeAt(i) ^ given.charCodeAt(i);
    }
    return difference === 0;
}

/** An object, whatever the text. Throws where it is no JSON. */
function read(part) {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function values(r, name) {
    return r.rawHeadersIn.filter(field => field[0].toLowerCase() === name).map(field => field[1]);
}

export default {verdict, requestId, page, always};
