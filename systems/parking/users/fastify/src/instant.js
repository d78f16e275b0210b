/** Instants, as they are shown: 24 characters in UTC. */

const MILLISECONDS = 3;

/** Of whole seconds since 1970. */
export function showSeconds(seconds) {
  return new Date(seconds * 1000).toISOString();
}

/** Of what PostgreSQL sends in UTC, like `2040-03-01 06:00:00.12+00`; what is finer than a millisecond is cut off. */
export function showTimestamp(text) {
  const fraction = /^\.([0-9]+)/.exec(text.slice(19))?.[1] ?? '';
  const milliseconds = fraction.slice(0, MILLISECONDS).padEnd(MILLISECONDS, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}
