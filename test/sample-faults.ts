import type { Fault, SeenRequest } from "../src/core/provider-kit/testing";
import { sample } from "./all-tests";

/** What a request does, whichever object it is about: names that differ from run to run are left out. */
const stepOf = ({ service, method, path }: SeenRequest): string =>
  `${service} ${method} ${path.replaceAll(/[\da-f-]{12,}/g, "*")}`;

/**
 * All faults with `npm test -- --all`. Otherwise, at the last request of each step, the fault that leaves the most to
 * clean up: the provider is killed when the step is done. A step that changes nothing has another kind each time. All
 * other kinds happen at the last step that changes something, which makes the result visible to others.
 */
export function sampleFaults(
  faults: readonly Fault[],
  requests: readonly SeenRequest[],
): readonly Fault[] {
  const last = new Map(requests.map((request, index) => [stepOf(request), index + 1]));
  const steps = [...last.values()].sort((one, other) => one - other);
  const effectful = faults.filter(({ kind }) => kind === "kill-after" || kind === "twice");
  const visible = Math.max(0, ...effectful.map(({ request }) => request));
  const chosen = steps.flatMap((step, index) => {
    const at = faults.filter(({ kind, request }) => kind !== "kill-at-end" && request === step);
    if (step === visible) return at;
    const killed = at.find(({ kind }) => kind === "kill-after");
    return killed === undefined ? at.slice(index % at.length).slice(0, 1) : [killed];
  });
  const atEnd = faults.filter(({ kind }) => kind === "kill-at-end");
  return sample(faults, [...chosen, ...atEnd]);
}
