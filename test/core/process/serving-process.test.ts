import { type ServingOptions, startServing } from "../../../src/core/process/serving-process";

const start = (script: string, options: Partial<ServingOptions> = {}) =>
  startServing(process.execPath, ["-e", script], { env: process.env, ...options });

const announce = `console.log('{"at":"here"}');`;
const forever = "setInterval(() => undefined, 1000);";

describe("a process that serves", () => {
  it("says where, in its first line", async () => {
    const { announcement, end } = await start(`${announce} console.log("more"); ${forever}`);
    expect(announcement).toEqual({ at: "here" });
    await end("SIGTERM");
  });

  it("is ended by the signal", async () => {
    const { end, ended } = await start(`${announce} ${forever}`);
    await end("SIGTERM");
    expect(await ended).toEqual({ code: null, signal: "SIGTERM" });
  });

  it("is killed if the signal does not end it", async () => {
    const stubborn = `process.on("SIGTERM", () => undefined); ${announce} ${forever}`;
    const { end, ended } = await start(stubborn);
    await end("SIGTERM");
    expect(await ended).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("reports how it ended by itself, and what it said last", async () => {
    const pieces: string[] = [];
    const crash = `process.stderr.write("x".repeat(9000) + "oh no", () => process.exit(3));`;
    const { ended, said } = await start(`${announce} ${crash}`, {
      log: (text) => pieces.push(text),
    });
    expect(await ended).toEqual({ code: 3, signal: null });
    expect(said()).toHaveLength(8000);
    expect(said()).toMatch(/x{7995}oh no$/);
    expect(pieces.join("")).toHaveLength(9005);
  });

  it.each([
    ["", "it printed nothing"],
    [`console.error("no such module"); process.exit(1);`, "no such module"],
    [`console.log("[1"); console.error("more"); ${forever}`, /^\[1(\nmore)?$/],
    [`console.log("true"); ${forever}`, "true"],
  ])("is refused if it does not announce itself: %s", async (script, message) => {
    await expect(start(script)).rejects.toThrow(message);
  });

  it("is refused if it cannot be started", async () => {
    const { env } = process;
    await expect(startServing("/nowhere/at-all", [], { env })).rejects.toThrow(/^spawn .*ENOENT$/);
  });
});
