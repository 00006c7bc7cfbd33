import childProcess from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns";
import { once } from "node:events";
import { Socket } from "node:net";
import { Worker } from "node:worker_threads";
import { guardProcess, withoutNetwork } from "../../../src/planner/offline-plan/without-network";

/** Loads the module as another test file does. */
const loadAgain = async () => {
  jest.resetModules();
  return await import("../../../src/planner/offline-plan/without-network.js");
};

test("guards the process once, however often a test runner loads it", async () => {
  const [first, second] = [await loadAgain(), await loadAgain()];
  expect(second).not.toBe(first);
  const connect = () => new Socket().connect(1);
  expect(await first.withoutNetwork(connect)).toMatchObject({ wasTried: true });
  const guarded = Reflect.get(Socket.prototype, "connect");
  expect(await second.withoutNetwork(connect)).toMatchObject({ wasTried: true });
  expect(Reflect.get(Socket.prototype, "connect")).toBe(guarded);
});

describe("what leaves the process is refused", () => {
  test.each<readonly [string, () => unknown]>([
    ["a process", () => childProcess.spawn("true")],
    ["a process that is waited for", () => childProcess.spawnSync("true")],
    ["a command of a shell", () => childProcess.execSync("true")],
    ["a file that is executed", () => childProcess.execFileSync("true")],
    ["a datagram", () => dgram.createSocket("udp4").send("x", 9, "127.0.0.1")],
    ["a socket for datagrams", () => dgram.createSocket("udp4").bind(0)],
    ["a name", () => dns.lookup("localhost", () => undefined)],
    ["a name, with a promise", () => dns.promises.lookup("localhost")],
    ["a record", () => dns.promises.resolveTxt("localhost")],
    ["a record of a server of its own", () => new dns.Resolver().resolve4("a", () => undefined)],
    ["a thread", () => new Worker("", { eval: true })],
    ["a class of threads", () => new (class extends Worker {})("", { eval: true })],
  ])("%s", async (_, leave) => {
    const found = await withoutNetwork(async () => {
      await Promise.resolve();
      return await leave();
    });
    expect(found).toMatchObject({ wasTried: true, error: { code: "ENETUNREACH" } });
  });

  test("also when the code has kept the function, or catches the error", async () => {
    guardProcess();
    const { execSync } = childProcess;
    const found = await withoutNetwork(() => {
      try {
        return execSync("echo ran").toString();
      } catch {
        return "caught";
      }
    });
    expect(found).toEqual({ wasTried: true, result: "caught" });
  });

  test("and works outside of a plan", async () => {
    await withoutNetwork(() => undefined);
    expect(childProcess.execSync("echo ran").toString()).toBe("ran\n");
    await expect(dns.promises.lookup("127.0.0.1")).resolves.toMatchObject({ family: 4 });
    const worker = new Worker("", { eval: true });
    expect(worker).toBeInstanceOf(Worker);
    await once(worker, "exit");
  });
});
