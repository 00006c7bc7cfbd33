import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import files from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withBuildLock } from "../../../../src/local/workspace/state/build-lock";
import { makeZombie } from "../../../core/process/zombie";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trivet-lock-"));
  file = join(folder, "lock");
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const build = (note?: number): Promise<string> =>
  withBuildLock(folder, (noted) => {
    if (note !== undefined) noted(note);
    return Promise.resolve(readFileSync(file, "utf8"));
  });

test("records the building process and those that it starts", async () => {
  expect(await build()).toMatch(new RegExp(`^${process.pid}( .+)?\n$`));
  expect(await build(1)).toMatch(new RegExp(`^${process.pid}( .+)?\n1( .+)?\n$`));
  expect(readdirSync(folder)).toEqual([]);
});

test("is kept by a running process", async () => {
  writeFileSync(file, "1\n");
  await expect(build()).rejects.toMatchObject({ code: "BUSY" });
});

test("is kept while another build of this process runs", async () => {
  await withBuildLock(folder, async () => {
    await expect(build()).rejects.toMatchObject({ code: "BUSY" });
  });
});

test.each(["", "\n", "x\n", "0\n", "-1\n", "1.5\n", "99999999\n", "99999999 x\n"])(
  "is taken over from %j",
  async (held) => {
    writeFileSync(file, held);
    await expect(build()).resolves.toContain(String(process.pid));
  },
);

test("works without hard links", async () => {
  const refused = Object.assign(new Error("no links"), { code: "EPERM" });
  const linking = jest.spyOn(files, "link").mockRejectedValue(refused);
  try {
    await withBuildLock(folder, async () => {
      await expect(build()).rejects.toMatchObject({ code: "BUSY" });
    });
    expect(linking).toHaveBeenCalledTimes(2);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    linking.mockRestore();
  }
});

test("is taken over from a process that has ended but was not reaped", async () => {
  const zombie = await makeZombie();
  try {
    writeFileSync(file, `${zombie.pid}\n`);
    await expect(build()).resolves.toContain(String(process.pid));
  } finally {
    zombie.remove();
  }
});

test("is taken over when another process has the ID of its holder", async () => {
  await build().then((held) => {
    const [, start] = /^\d+ (.+)\n$/.exec(held) ?? [];
    if (start === undefined) throw new Error(`no start time in ${JSON.stringify(held)}`);
    writeFileSync(file, `1 ${start}\n`);
  });
  await expect(build()).resolves.toContain(String(process.pid));
});
