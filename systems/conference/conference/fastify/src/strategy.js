/** The strategies by which the countries of a list are looked up; SPEC.md, *Look-ups*, says what each does. */

/**
 * Each takes `names`, a client of the service `country`, the AbortController of the request, and the sizes of the
 * configuration. It resolves with the countries in the order of the names, or rejects with the first failure.
 */
export const STRATEGIES = Object.freeze({ sequential, concurrent, batched });

async function sequential(names, country, { signal }) {
  const countries = [];
  for (const name of names) countries.push(await country.one(name, signal));
  return countries;
}

async function concurrent(names, country, controller, { width }) {
  const countries = new Array(names.length);
  let next = 0;
  const work = async () => {
    while (next < names.length) {
      const index = next++;
      countries[index] = await country.one(names[index], controller.signal);
    }
  };
  const workers = Array.from({ length: Math.min(width, names.length) }, work);
  try {
    await Promise.all(workers);
  } catch (error) {
    controller.abort();
    await Promise.allSettled(workers);
    throw error;
  }
  return countries;
}

async function batched(names, country, { signal }, { batchSize }) {
  const countries = [];
  for (let start = 0; start < names.length; start += batchSize) {
    const batch = names.slice(start, start + batchSize);
    countries.push(...(await country.batch(batch, signal)));
  }
  return countries;
}
