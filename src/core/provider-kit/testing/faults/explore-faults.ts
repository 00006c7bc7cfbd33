import {
  type Fault,
  type FaultKind,
  faultsAt,
  placed,
  type PlacedFault,
  requestText,
  type SeenRequest,
} from "./fault";

export interface FaultRun {
  readonly requests: readonly SeenRequest[];
  readonly isReached: boolean;
  /** The problems afterwards; empty if everything is right. */
  readonly problems: readonly string[];
}

interface Exploration {
  /** Its name in messages, such as `create`. */
  readonly operation: string;
  readonly kinds: readonly FaultKind[];
  readonly choose?:
    ((faults: readonly Fault[], requests: readonly SeenRequest[]) => readonly Fault[]) | undefined;
  readonly concurrency: number;
  /** Runs the operation once, with or without a fault, and everything that comes before and after it. */
  readonly run: (fault: PlacedFault | undefined) => Promise<FaultRun>;
}

export interface ExploredOperation {
  readonly operation: string;
  /** The requests without a fault, in order. */
  readonly requests: readonly SeenRequest[];
  readonly faults: number;
  /** Faults at requests that were not sent again in that run, such as a poll. */
  readonly missed: readonly Fault[];
  readonly problems: readonly string[];
}

/** Runs an operation without a fault, and then once with each fault at each of its requests, or with the chosen ones. */
export async function exploreFaults(exploration: Exploration): Promise<ExploredOperation> {
  const { operation, kinds, choose, concurrency, run } = exploration;
  const { requests, problems } = await run(undefined);
  const none = { operation, requests, faults: 0, missed: [] };
  if (problems.length > 0) {
    return { ...none, problems: problems.map((each) => `${operation}, without a fault: ${each}`) };
  }
  const all = faultsAt(requests, kinds);
  const faults = choose?.(all, requests) ?? all;
  const runs: { readonly fault: Fault; readonly run: FaultRun }[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let fault = faults[next++]; fault !== undefined; fault = faults[next++]) {
      runs.push({ fault, run: await run(placed(fault, requests)) });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const missed = runs.filter((each) => !each.run.isReached);
  return {
    operation,
    requests,
    faults: runs.length - missed.length,
    missed: missed.map(({ fault }) => fault),
    problems: runs.flatMap(({ fault, run: { problems: found } }) =>
      found.map((each) => `${operation}, ${placeOf(fault, requests)}: ${each}`),
    ),
  };
}

function placeOf({ kind, request }: Fault, requests: readonly SeenRequest[]): string {
  const at = requests[request - 1];
  if (kind === "kill-at-end" || at === undefined) return kind;
  return `${kind} at request ${request} of ${requests.length}, ${requestText(at)}`;
}
