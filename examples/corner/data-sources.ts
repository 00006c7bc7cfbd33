import {
  computed,
  dataSource,
  implement,
  implementDataSource,
  known,
  required,
  resource,
  t,
} from "@trivet/provider-kit";
import { keep } from "./keep";

const large = 7_227_701_560_655_103_598n;

const regions = dataSource("corner_regions", {
  doc: "The regions of the service.",
  attributes: { names: computed(t.list(t.string()), { doc: "Their names." }) },
});

const time = dataSource("corner_time", {
  doc: "The time of the service.",
  attributes: { current: computed(t.string(), { doc: "The time, as in RFC 3339." }) },
});

const largeData = dataSource("corner_bigint", {
  doc: "A number that no double represents.",
  attributes: { int64: computed(t.int64(), { doc: "The number." }) },
});

const largeResource = resource("corner_bigint", {
  doc: "A number that no double represents.",
  attributes: {
    number: required(t.int64(), { doc: "The number." }),
    int64: computed(t.int64(), { doc: "The same number." }),
  },
});

export const dataSources = [
  implementDataSource(regions)<unknown>({
    read: () => Promise.resolve({ names: ["EU", "UK", "USA"] }),
  }),
  implementDataSource(time)<unknown>({
    read: () => Promise.resolve({ current: new Date().toISOString() }),
  }),
  implementDataSource(largeData)<unknown>({ read: () => Promise.resolve({ int64: large }) }),
];

const store = (plan: { readonly number: bigint }) =>
  Promise.resolve(known({ ...plan, int64: plan.number }));

export const largeNumber = implement(largeResource)<unknown>({
  ...keep,
  create: store,
  update: store,
});
