import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { build } from "esbuild";
import {
  FaultFailure,
  faultKinds,
  type FaultScene,
  type FaultTest,
  testFaults,
} from "../../../../../src/core/provider-kit/testing";
import { outliving } from "../../../../e2e/support/provider-processes";
import { saw, shop, stock } from "./fixture-provider";

const folder = mkdtempSync(join(tmpdir(), "ft-"));
const executable = [process.execPath, join(folder, "provider.cjs")] as const;

beforeAll(() =>
  build({
    entryPoints: [join(__dirname, "fixture-provider.ts")],
    outfile: executable[1],
    bundle: true,
    platform: "node",
    format: "cjs",
  }),
);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A back end that keeps saws by their IDs. */
class Back implements FaultScene {
  readonly saws = new Map<string, string>();
  services: Readonly<Record<string, string>> = {};
  #made = 0;
  readonly #server = createServer((request, response) => {
    let size = "";
    request.on("data", (piece: Buffer) => (size += piece.toString()));
    request.on("end", () => {
      const { method, url = "" } = request;
      const id = url.split("/")[2] ?? (method === "POST" ? `new-${++this.#made}` : "");
      if (method === "POST" || method === "PUT") this.saws.set(id, size);
      if (method === "DELETE") this.saws.delete(id);
      const found = id === "" ? String(this.saws.size) : this.saws.get(id);
      response.writeHead(found === undefined ? 404 : 200);
      response.end(method === "GET" ? found : id);
    });
  });

  get isOpen(): boolean {
    return this.#server.listening;
  }

  static async open(): Promise<Back> {
    const back = new Back();
    await new Promise<void>((resolve) => back.#server.listen(0, "127.0.0.1", resolve));
    const { port } = back.#server.address() as AddressInfo;
    back.services = { shop: `http://127.0.0.1:${port}` };
    return back;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const explore = (mistake: string, changes: Partial<FaultTest<Back>> = {}) =>
  testFaults<Back>({
    executable,
    env: { MISTAKE: mistake },
    open: () => Back.open(),
    provider: shop,
    settings: ({ urls, isUnanswered }) => ({
      url: urls["shop"],
      patienceMs: isUnanswered ? "1000" : "60000",
    }),
    declaration: saw,
    config: () => ({ name: "a", size: "small" }),
    changed: () => ({ name: "a", size: "large" }),
    objects: ({ scene }) =>
      Promise.resolve([...scene.saws].map(([sawId, size]) => ({ sawId, size }))),
    ...changes,
  });

async function problems(mistake: string, changes?: Partial<FaultTest<Back>>) {
  const failure: unknown = await explore(mistake, changes).catch((error: unknown) => error);
  if (!(failure instanceof FaultFailure)) throw failure;
  return failure.problems;
}

test("a careful provider survives every fault at every request", async () => {
  const explored = await explore("none");
  const [create, ...others] = explored.map(({ operation, requests, faults, missed }) => ({
    operation,
    requests: requests.map(({ method, path }) => `${method} ${path}`),
    // With short time-outs, a slow machine may end an operation early.
    faults: faults + missed.filter(({ kind }) => kind === "no-answer").length,
  }));
  expect(create).toEqual({
    operation: "create",
    requests: ["PUT /saws/a"],
    faults: faultKinds.length,
  });
  expect(others).toEqual([
    { operation: "read", requests: ["GET /saws/a"], faults: 3 },
    { operation: "update", requests: ["GET /saws/a", "PUT /saws/a"], faults: 10 },
    { operation: "delete", requests: ["DELETE /saws/a"], faults: 7 },
  ]);
  expect(await outliving(folder)).toEqual([]);
  const own = `faults-${process.pid}-`;
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(own))).toEqual([]);
});

test("the caller chooses faults", async () => {
  const [update] = await explore("none", {
    operations: ["update"],
    choose: (faults, requests) =>
      faults.filter(({ kind, request }) => kind === "twice" && request === requests.length),
  });
  expect(update).toMatchObject({ faults: 1, missed: [] });
});

test("what is created twice is found, with the request and the kind of the fault", async () => {
  const found = await problems("doubles", { operations: ["create"] });
  const line = (kind: string): string => `create, ${kind}: the back end has 2 objects instead of 1`;
  const at = (kind: string): string => line(`${kind} at request 1 of 1, POST /saws (shop)`);
  expect([...found].sort()).toEqual(
    [at("kill-after"), at("reset-after"), at("no-answer"), at("twice"), line("kill-at-end")].sort(),
  );
});

test("what is left in the back end is found", async () => {
  const found = await problems("forgets", { operations: ["delete"] });
  expect(found).toEqual([
    expect.stringMatching(
      /^delete, reset-before at request 1 of 1, .*: the back end still has 1 objects after the dest/,
    ),
  ]);
});

test.each([
  ["", ["reset-before", "no-answer"]],
  // Such a provider blames its project.
  ["/project", ["reset-before"]],
] as const)(
  "a failure of the back end that is reported as a bug is found: %j",
  async (at, kinds) => {
    const env = { MISTAKE: "bugs", TRIVET_PROJECT_FOLDER: at };
    const found = await problems("bugs", { operations: ["read"], kinds, env });
    expect(found).toHaveLength(kinds.length);
    expect(found[0]).toContain("the failure is reported as a bug");
  },
);

test("a run that does not end is stopped", async () => {
  const options = { operations: ["read"], kinds: ["reset-before"], runTimeoutMs: 4000 } as const;
  expect(await problems("hangs", options)).toEqual([
    expect.stringContaining("the run did not end within 4000 ms"),
  ]);
});

test("a back end that opens after the time of its run is closed", async () => {
  const backs: Back[] = [];
  const open = async (): Promise<Back> => {
    await wait(500);
    const back = await Back.open();
    backs.push(back);
    return back;
  };
  expect(await problems("none", { operations: ["read"], open, runTimeoutMs: 100 })).toEqual([
    "read, without a fault: the run did not end within 100 ms",
  ]);
  expect(backs.map(({ isOpen }) => isOpen)).toEqual([false]);
});

test("the caller's check is part of each run", async () => {
  const states: unknown[] = [];
  await explore("none", {
    operations: ["create"],
    kinds: ["twice"],
    check: (_, state) => void states.push(state?.["size"]),
  });
  expect(states).toEqual(["small", undefined, "small", undefined]);
  const refuse = (): never => {
    throw new Error("it is blunt");
  };
  expect(await problems("none", { operations: ["create"], check: refuse })).toEqual([
    "create, without a fault: it is blunt",
  ]);
});

test("a data source is read again", async () => {
  const states: unknown[] = [];
  const [read] = await explore("none", {
    declaration: stock,
    config: () => ({}),
    objects: undefined,
    check: (_, state) => void states.push(state),
  });
  expect(read).toMatchObject({ operation: "read", requests: [{ method: "GET", path: "/saws" }] });
  expect(states).toEqual(Array.from({ length: 4 }, () => ({ total: "0" })));
});

test("a provider that does not start is reported with its words", async () => {
  const script = "console.error('no such module'); process.exit(1)";
  const broken = explore("none", { executable: [process.execPath, "-e", script, "--"] });
  await expect(broken).rejects.toThrow(/does not serve: no such module/);
});
