// @ts-check

/**
 * What the demo does with the stack, and the expected result. Each step starts from the previous one.
 *
 * @typedef {object} Step
 * @property {string} title
 * @property {"deploy" | "destroy"} verb
 * @property {Record<string, string>} change settings of the stack that change from here on
 * @property {RegExp | undefined} action what terraform does with `ids_endpoint`; undefined: nothing
 * @property {(numbers: { added: number, changed: number, destroyed: number }) => boolean} expected
 * @property {(before: readonly Endpoint[], after: readonly Endpoint[]) => string | undefined} verify
 *   compares the service's own lists; returns what is wrong
 *
 * @typedef {import("./back-end.mjs").Endpoint} Endpoint
 */

const SEVERITY = "LOW";
const LOCATION = "europe-west1-b";

/** @type {readonly Step[]} */
export const steps = [
  {
    title: "create",
    verb: "deploy",
    change: {},
    action: / created$/,
    expected: ({ added, changed, destroyed }) => added > 0 && changed === 0 && destroyed === 0,
    verify: (_, after) => {
      if (after.length === 0) return "the service has no endpoint";
      return after.every(({ state }) => state === "READY") ? undefined : "an endpoint is not READY";
    },
  },
  {
    title: "deploy again, nothing changed",
    verb: "deploy",
    change: {},
    action: undefined,
    expected: ({ added, changed, destroyed }) => added + changed + destroyed === 0,
    verify: (before, after) =>
      JSON.stringify(before) === JSON.stringify(after) ? undefined : "an endpoint changed",
  },
  {
    title: `change in place: severity ${SEVERITY}`,
    verb: "deploy",
    change: { DEMO_SEVERITY: SEVERITY },
    action: / updated in place$/,
    expected: ({ added, changed, destroyed }) => added === 0 && changed > 0 && destroyed === 0,
    verify: (before, after) => {
      if (times(before) !== times(after)) return "an endpoint was created again";
      return after.some(({ severity }) => severity === SEVERITY)
        ? undefined
        : `no endpoint has severity ${SEVERITY}`;
    },
  },
  {
    title: `replace: location ${LOCATION}`,
    verb: "deploy",
    change: { DEMO_LOCATION: LOCATION },
    action: / replaced$/,
    expected: ({ added, destroyed }) => added > 0 && destroyed === added,
    verify: (before, after) => {
      if (before.length !== after.length) return "the number of endpoints changed";
      return after.some(({ name }) => name.includes(`/locations/${LOCATION}/`))
        ? undefined
        : `no endpoint is in ${LOCATION}`;
    },
  },
  {
    title: "destroy",
    verb: "destroy",
    change: {},
    action: / destroyed$/,
    expected: ({ added, changed, destroyed }) => added === 0 && changed === 0 && destroyed > 0,
    verify: (_, after) => (after.length === 0 ? undefined : "the service still has an endpoint"),
  },
];

/** @param {readonly Endpoint[]} endpoints */
function times(endpoints) {
  return endpoints
    .map(({ name, createTime }) => `${name} ${createTime}`)
    .sort()
    .join("\n");
}
