// What sessions.yaml says, for k6: log in, list, insert, each step with what the one before answered.
import http from 'k6/http';
import { fail } from 'k6';
import exec from 'k6/execution';

export const options = {
  insecureSkipTLSVerify: true,
  scenarios: {
    sessions: {
      executor: 'constant-vus',
      vus: Number(__ENV.USERS),
      duration: `${__ENV.SECONDS}s`,
      gracefulStop: '5s',
    },
  },
};

const JSON_HEADERS = { 'content-type': 'application/json' };

function need(response, status, key) {
  const found = response.status === status && (key ? response.json(key) : true);
  return found || fail(`${response.request.url}: ${response.status}, ${key}`);
}

export default function () {
  const url = __ENV.TARGET;
  const n = exec.scenario.iterationInTest;
  const credentials = JSON.stringify({ email: `u${n}@x.example`, password: 'pw' });
  const token = need(http.post(`${url}/login`, credentials, { headers: JSON_HEADERS }), 200, 'token');
  const authorised = { headers: { ...JSON_HEADERS, authorization: `Bearer ${token}` } };
  const id = need(http.get(`${url}/items`, authorised), 200, 'items.0.id');
  need(http.post(`${url}/items`, JSON.stringify({ name: `n${n}`, like: id }), authorised), 201);
}

export function handleSummary(data) {
  return { stdout: `\n${JSON.stringify(data.metrics)}\n` };
}
