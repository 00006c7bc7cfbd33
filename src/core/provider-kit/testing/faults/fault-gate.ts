import { countOf, type FaultKind, type PlacedFault, type SeenRequest } from "./fault";

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
