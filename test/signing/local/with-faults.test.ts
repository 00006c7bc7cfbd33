import { request as ask } from "node:http";
import { withFaults, type Fault } from "../../../src/signing/local/with-faults";
import { openServices } from "./local-services";

async function openFaulty(faults: (index: number) => Fault | undefined) {
  const services = await openServices();
  const faulty = await withFaults(services.addresses.tokenIssuer, ({ index }) => faults(index));
  return { ...faulty, issuer: services.addresses.tokenIssuer };
}

it("lets requests pass, and answers in place of the service when it is told to", async () => {
  const faulty = await openFaulty((index) =>
    index === 0 ? { kind: "answer", status: 429, headers: { "retry-after": "1" } } : undefined,
  );
  const first = await fetch(`${faulty.url}/keys`);
  expect([first.status, first.headers.get("retry-after")]).toEqual([429, "1"]);
  const second = await fetch(`${faulty.url}/keys`);
  expect(await second.text()).toBe(await (await fetch(`${faulty.issuer}/keys`)).text());
  await faulty.close();
});

it("changes, cuts and slows answers", async () => {
  const kinds: readonly Fault[] = [
    {
      kind: "tamper",
      change: (answer) => ({
        ...answer,
        status: 201,
        body: Buffer.from(answer.body.toString().replace("P-256", "P-9999")),
      }),
    },
    { kind: "truncate", bytes: 10 },
    { kind: "trickle", bytes: 100, everyMs: 1 },
    { kind: "delay", milliseconds: 1 },
    { kind: "reset" },
  ];
  const faulty = await openFaulty((index) => kinds[index]);
  const tampered = await fetch(`${faulty.url}/keys`);
  expect(tampered.status).toBe(201);
  expect(await tampered.text()).toContain("P-9999");
  await expect(fetch(`${faulty.url}/keys`).then((response) => response.text())).rejects.toThrow();
  expect(await (await fetch(`${faulty.url}/keys`)).text()).toContain("P-256");
  expect((await fetch(`${faulty.url}/keys`)).status).toBe(200);
  await expect(fetch(`${faulty.url}/keys`)).rejects.toThrow();
  await faulty.close();
});

it("never answers, until the client gives up", async () => {
  for (const kind of ["never answer", "lose the answer"] as const) {
    let seen = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (seen = resolve));
    const faulty = await openFaulty(() => {
      seen();
      return { kind };
    });
    const request = ask(`${faulty.url}/keys`);
    const outcome = new Promise((resolve) => {
      request.once("response", () => resolve("answered"));
      request.once("error", () => resolve("gave up"));
    });
    request.end();
    await arrived;
    request.destroy(new Error("enough"));
    expect(await outcome).toBe("gave up");
    await faulty.close();
  }
});
