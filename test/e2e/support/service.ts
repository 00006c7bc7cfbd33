import type { LocalRequest } from "../../../src/local/ids/rpc/call";
import type { Fault } from "../../local/service/answering-faults";
import { createFaultyIds } from "../../local/ids/faulty-ids";
import type { LocalIdsSettings } from "../../../src/local/ids/local-ids";
import { reopen } from "../../reopen";

type Json = Readonly<Record<string, unknown>>;

/** Marks the test's own requests, which are not logged and have no faults. */
const observer = "x-observer";

/** The local back end in this process. Tests can read its request log and inject faults. */
export class Service {
  /** The requests of providers, in the order of their arrival. */
  readonly requests: LocalRequest[] = [];
  /** Called for each request, after it has been logged. */
  fault: (request: LocalRequest) => Fault | undefined = () => undefined;
  #url = "";
  #server: ReturnType<typeof createFaultyIds>;
  #waiting: { matches: (request: LocalRequest) => boolean; resolve: () => void }[] = [];

  readonly #settings: LocalIdsSettings;

  private constructor(settings: LocalIdsSettings) {
    this.#settings = settings;

    this.#server = this.#create();
  }

  static async start(settings: LocalIdsSettings = {}): Promise<Service> {
    const service = new Service(settings);
    await service.#listen(0);
    return service;
  }

  /** The base URL for clients, with `/v1/`. */
  get url(): string {
    return this.#url;
  }

  /** The mutations in order, such as `PATCH edge`. */
  get changes(): string[] {
    return this.requests
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, query }) => {
        const id = query.get("endpointId") ?? path.slice(path.lastIndexOf("/") + 1);
        return `${method} ${id}`;
      });
  }

  /** The request IDs of create requests, in order. */
  get creationIds(): (string | null)[] {
    return this.sent("POST").map(({ query }) => query.get("requestId"));
  }

  sent(method: string): LocalRequest[] {
    return this.requests.filter((request) => request.method === method);
  }

  forgetRequests(): void {
    this.requests.length = 0;
  }

  /** Resolves when a matching request arrives from now on. */
  arrival(matches: (request: LocalRequest) => boolean): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ matches, resolve }));
  }

  /** All endpoints of a project, as the service lists them. */
  async endpoints(project = "acme"): Promise<readonly Json[]> {
    const listed = await this.call("GET", `projects/${project}/locations/-/endpoints`);
    return (listed["endpoints"] ?? []) as readonly Json[];
  }

  /** Sends a request outside Terraform. */
  async call(method: string, path: string, body?: unknown): Promise<Json> {
    const answer = await fetch(new URL(path, this.#url), {
      method,
      headers: { [observer]: "test" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const json = (await answer.json()) as Json;
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
    return json;
  }

  /** Restarts the service with the same URL. With a state file, it keeps its data. */
  async restart(): Promise<void> {
    const port = Number(new URL(this.#url).port);
    await this.close();
    await reopen(() => {
      this.#server = this.#create();
      return this.#listen(port);
    });
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #create(): ReturnType<typeof createFaultyIds> {
    return createFaultyIds({ ...this.#settings, faults: (request) => this.#note(request) });
  }

  async #listen(port: number): Promise<void> {
    this.#url = (await this.#server.listen({ port })).url;
  }

  #note(request: LocalRequest): Fault | undefined {
    if (request.headers[observer] !== undefined) return undefined;
    this.requests.push(request);
    const arrived = this.#waiting.filter(({ matches }) => matches(request));
    this.#waiting = this.#waiting.filter((each) => !arrived.includes(each));
    for (const { resolve } of arrived) resolve();
    return this.fault(request);
  }
}
