import type { Fault, FaultKind, SeenRequest } from "./fault";

/** Counts the requests of an operation, and lets a fault happen at one of them. */
export class FaultGate {
  #requests: SeenRequest[] = [];
  #fault: Fault | undefined;
  #isOpen = true;
  #isReached = false;

  /** The requests since {@link arm}, in the order of their arrival. */
  get requests(): readonly SeenRequest[] {
    return this.#requests;
  }

  /** Whether the request at which the fault happens has arrived. */
  get isReached(): boolean {
    return this.#isReached;
  }

  /** Starts to count, and lets a fault happen, or none. */
  arm(fault: Fault | undefined): void {
    this.#requests = [];
    this.#fault = fault;
    this.#isReached = false;
    this.#isOpen = false;
  }

  /** Ends the count. Requests pass from now on. */
  disarm(): void {
    this.#isOpen = true;
  }

  /** Notes a request. Returns what goes wrong with it, if anything does. */
  arrive(request: SeenRequest): FaultKind | undefined {
    if (this.#isOpen) return undefined;
    this.#requests.push(request);
    if (this.#fault?.request !== this.#requests.length || this.#fault.kind === "kill-at-end") {
      return undefined;
    }
    this.#isReached = true;
    return this.#fault.kind;
  }
}
