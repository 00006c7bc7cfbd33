/**
 * A fault at a request of a provider to its back end:
 *
 * - `kill-before`: the provider is killed before the request arrives
 * - `kill-after`: it is killed when the back end has carried the request out, before the response arrives
 * - `kill-at-end`: it is killed when it has done everything, before Terraform receives its response
 * - `reset-before`: the connection is reset, and the back end never receives the request
 * - `reset-after`: the connection is reset when the back end has carried the request out
 * - `no-answer`: the back end carries the request out and never responds, so that the provider times out
 * - `twice`: the back end carries the request out twice, as when something between repeats it, and the
 *   provider receives the second response
 */
export type FaultKind =
  | "kill-before"
  | "kill-after"
  | "kill-at-end"
  | "reset-before"
  | "reset-after"
  | "no-answer"
  | "twice";

export const faultKinds: readonly FaultKind[] = [
  "kill-before",
  "kill-after",
  "kill-at-end",
  "reset-before",
  "reset-after",
  "no-answer",
  "twice",
];

/** A fault at one request of an operation. */
export interface Fault {
  readonly kind: FaultKind;
  /** The number of the request, from 1. `kill-at-end` is after all of them. */
  readonly request: number;
}

/**
 * A fault and its place: the n-th request with the service and the method of `like`. The number among all requests is
 * not stable: how often a provider reads, such as while it polls, can depend on how long requests take.
 */
export interface PlacedFault {
  readonly kind: FaultKind;
  readonly like: SeenRequest | undefined;
  readonly nth: number;
}

/** A request that reached a service of the back end. */
export interface SeenRequest {
  readonly service: string;
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
}

/** The result of a run, with or without a fault. */
export interface FaultRun {
  readonly requests: readonly SeenRequest[];
  /** True if the request at which the fault happens has arrived. */
  readonly isReached: boolean;
  /** Empty if everything is right. */
  readonly problems: readonly string[];
}

export const isKill = (kind: FaultKind): boolean => kind.startsWith("kill-");

export const requestText = ({ service, method, path }: SeenRequest): string =>
  `${method} ${path} (${service})`;

/**
 * Returns the faults to explore at the requests of an operation. Requests that are safe in the sense of HTTP
 * have no effect, so it makes no difference whether, or how often, they were carried out.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1}
 */
export function faultsAt(
  requests: readonly SeenRequest[],
  kinds: readonly FaultKind[],
): readonly Fault[] {
  const faults = requests.flatMap(({ method }, index) =>
    kinds
      .filter((kind) => kind !== "kill-at-end")
      .filter((kind) => !isSafe(method) || !effectful.includes(kind))
      .map((kind) => ({ kind, request: index + 1 })),
  );
  const atEnd = kinds.includes("kill-at-end");
  return atEnd ? [...faults, { kind: "kill-at-end", request: requests.length }] : faults;
}

/** Returns a fault with its place among the requests of a run without a fault. */
export function placed({ kind, request }: Fault, requests: readonly SeenRequest[]): PlacedFault {
  const like = requests[request - 1];
  return { kind, like, nth: countOf(like, requests.slice(0, request)) };
}

const countOf = (like: SeenRequest | undefined, requests: readonly SeenRequest[]): number =>
  requests.filter(({ service, method }) => service === like?.service && method === like.method)
    .length;

const effectful: readonly FaultKind[] = ["kill-after", "reset-after", "twice"];

const isSafe = (method: string): boolean => method === "GET" || method === "HEAD";

/** Counts the requests of an operation, and triggers a fault at one of them. */
export class FaultGate {
  #requests: SeenRequest[] = [];
  #fault: PlacedFault | undefined;
  #isOpen = true;
  #isReached = false;

  /** The requests since {@link arm}, in the order of their arrival. */
  get requests(): readonly SeenRequest[] {
    return this.#requests;
  }

  /** True once the request at which the fault happens has arrived. */
  get isReached(): boolean {
    return this.#isReached;
  }

  /** Starts to count, and sets the fault to trigger, if any. */
  arm(fault: PlacedFault | undefined): void {
    this.#requests = [];
    this.#fault = fault;
    this.#isReached = false;
    this.#isOpen = false;
  }

  /** Stops counting. Requests pass from now on. */
  disarm(): void {
    this.#isOpen = true;
  }

  /** Records a request. Returns the fault to trigger, if any. */
  arrive(request: SeenRequest): FaultKind | undefined {
    if (this.#isOpen) return undefined;
    this.#requests.push(request);
    const { kind, like, nth } = this.#fault ?? {};
    if (kind === "kill-at-end" || countOf(like, [request]) === 0) return undefined;
    if (countOf(like, this.#requests) !== nth) return undefined;
    this.#isReached = true;
    return kind;
  }
}
