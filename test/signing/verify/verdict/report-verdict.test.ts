import type { PolicyVerdict } from "../../../../src/signing/policy/policy-verdict";
import { reportVerdict } from "../../../../src/signing/verify/verdict/report-verdict";

const image = `registry.example/app@sha256:${"a".repeat(64)}`;
const at = new Date("2026-05-05T10:00:00Z");
const rejected = { label: "the layer 1", code: "IDENTITY", problem: "signed by boss" } as const;

const signed = {
  label: "the bundle 2",
  value: {
    signer: { kind: "identity", subject: "dev", issuer: "https://idp", otherSubjects: [] },
    signature: Buffer.of(1),
    at,
    log: { logId: "00ff", logIndex: 7, url: "https://log" },
  },
} as const;

const byKey = {
  label: "the layer 3",
  value: { signer: { kind: "key", keyId: "ab" }, signature: Buffer.of(1) },
} as const;

/** A verdict of one policy with one authority. */
function verdictOf(
  authority: Partial<PolicyVerdict["policies"][0]["authorities"][0]>,
  policy: Partial<PolicyVerdict["policies"][0]> = {},
): PolicyVerdict {
  const outcome = { authority: "us", isSatisfied: true, requirements: [], ...authority };
  const { isSatisfied } = outcome;
  return {
    policies: [
      { policy: "release", mode: "enforce", isSatisfied, authorities: [outcome], ...policy },
    ],
    warnings: [],
    advice: [],
    ...(isSatisfied
      ? { isAccepted: true }
      : { isAccepted: false, code: "REFUSED", message: "it is refused" }),
  };
}

const report = (verdict: PolicyVerdict, unread: readonly string[] = []) =>
  reportVerdict(image, { verdict, advice: [], unread });

test("tells which signature counted, of whom, in which log and when, and why others did not", () => {
  const requirements = [
    { required: "a signature", verified: [signed, byKey], rejected: [rejected] },
  ];
  const { text, ...data } = report(verdictOf({ requirements }));
  expect(data).toEqual({
    image,
    accepted: true,
    code: "ACCEPTED",
    notes: [],
    policies: [
      {
        name: "release",
        mode: "enforce",
        accepted: true,
        code: "ACCEPTED",
        authorities: [
          {
            name: "us",
            accepted: true,
            code: "ACCEPTED",
            requirements: [
              {
                required: "a signature",
                accepted: true,
                counted: [
                  {
                    candidate: "the bundle 2",
                    subject: "dev",
                    issuer: "https://idp",
                    log: "https://log",
                    logIndex: 7,
                    time: "2026-05-05T10:00:00.000Z",
                  },
                  { candidate: "the layer 3", key: "ab" },
                ],
                countedTotal: 2,
                rejected: [
                  { candidate: "the layer 1", code: "IDENTITY", problem: "signed by boss" },
                ],
                rejectedTotal: 1,
              },
            ],
          },
        ],
      },
    ],
  });
  expect(text).toBe(`\`${image}\` is accepted (ACCEPTED).

- Policy \`release\` accepts it (ACCEPTED)
  - Authority \`us\` accepts it (ACCEPTED)
    - Needs \`a signature\`
      - counted: \`the bundle 2\`, by \`dev\`, issuer \`https://idp\`, entry 7 of the log \`https://log\`, at 2026-05-05T10:00:00.000Z
      - counted: \`the layer 3\`, by the key with SHA-256 \`ab\`
      - did not count (IDENTITY): \`the layer 1\`: \`signed by boss\`
`);
});

const none = { required: "a signature", verified: [], rejected: [] };

test.each([
  [
    "an authority that found nothing",
    verdictOf({ isSatisfied: false, requirements: [none] }),
    { code: "NO_AUTHORITY", authorities: [{ code: "MISSING" }] },
    "Needs `a signature`: found nothing",
  ],
  [
    "an authority that could not read",
    verdictOf({ isSatisfied: false, code: "NOT_READ", problem: "HTTP 500" }),
    { code: "NO_AUTHORITY", authorities: [{ code: "NOT_READ", problem: "HTTP 500" }] },
    "does not accept it (NOT_READ): `HTTP 500`",
  ],
  [
    "a policy over the results",
    verdictOf({ isSatisfied: true }, { isSatisfied: false, problem: "says no" }),
    { code: "POLICY", problem: "says no", authorities: [{ code: "ACCEPTED" }] },
    "does not accept it (POLICY): `says no`",
  ],
])("tells why not: %s", (_, verdict, policy, line) => {
  const { policies, text } = report(verdict);
  expect(policies).toMatchObject([policy]);
  expect(text).toContain(line);
});

test("tells that no policy applies", () => {
  const nothing = { policies: [], warnings: [], advice: [] };
  const message = "Patterns of the policies: a (b/**)";
  const verdict = { isAccepted: false, code: "NOT_COVERED", message, ...nothing } as const;
  expect(report(verdict)).toMatchObject({
    code: "NOT_COVERED",
    notes: [message],
    text: `\`${image}\` is refused, because no policy applies to it (NOT_COVERED).\n\n- Note: \`${message}\`\n`,
  });
});

test("tells about the images of an index, the refused ones first, and cuts off the rest", () => {
  const refused = verdictOf({ isSatisfied: false, requirements: [none] });
  const images = Array.from({ length: 30 }, (_, number) =>
    reportVerdict(`image ${number}`, {
      verdict: number === 20 ? refused : verdictOf({}),
      advice: [],
      ...(number === 20 && { platform: "linux/`arm64" }),
    }),
  );
  const { text, ...data } = reportVerdict(image, { verdict: verdictOf({}), advice: [], images });
  expect(data).toMatchObject({ accepted: false, code: "REFUSED", policies: [{ accepted: true }] });
  expect(data.images).toHaveLength(30);
  expect(text.split("\n\n").map((part) => part.split("\n")[0])).toEqual([
    `\`${image}\` is refused (REFUSED).`,
    "- Policy `release` accepts it (ACCEPTED)",
    "`image 20` for `linux/'arm64` is refused (REFUSED).",
    "- Policy `release` does not accept it (NO_AUTHORITY)",
    ...Array.from({ length: 15 }, (_, number) => [
      `\`image ${number}\` is accepted (ACCEPTED).`,
      "- Policy `release` accepts it (ACCEPTED)",
    ]).flat(),
    "14 more images.",
  ]);
  expect(text).toContain("- Images in it: 29 accepted, 1 refused");
});

test("what others wrote cannot leave its code span, its line or its limit", () => {
  const label = "x` <img src=y> @team\n# Accepted\u001b[2J";
  const problem = "z".repeat(2_000);
  const many = Array.from({ length: 150 }, () => ({ ...rejected, label, problem }));
  const requirements = [{ ...none, rejected: many }];
  const { text, policies } = report(verdictOf({ isSatisfied: false, requirements }), ["a lot"]);
  expect(text).toContain("`x' <img src=y> @team # Accepted\\u001b[2J`: `zzz");
  expect(text).not.toContain("z".repeat(501));
  expect(text).toContain("- 142 more that did not count");
  expect(text).toContain("- Note: `Not everything was read: a lot.`");
  expect(policies[0]?.authorities[0]?.requirements[0]).toMatchObject({ rejectedTotal: 150 });
  expect(policies[0]?.authorities[0]?.requirements[0]?.rejected).toHaveLength(100);
});
